/** Builds a submission by `contractor` whose work the built-in judge passes. */
export const riversBy = (contractor: string) => ({
  contractorAgentAddress: contractor,
  requesterAgentAddress: "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
  taskDescription: "Name three rivers of Europe.",
  taskCategory: "research",
  deliverableContent: "Danube, Rhine, Loire.",
  valueUsdc: 5,
});
