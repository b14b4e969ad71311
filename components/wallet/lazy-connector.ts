import type { CreateConnectorFn } from "wagmi";

/**
 * Loads a connector only once the user chooses it, or if it was the last one used. On page load
 * wagmi asks every connector for its provider, which would load their code and call other hosts.
 */
export function lazyConnector(make: CreateConnectorFn): CreateConnectorFn {
  return (config) => {
    const connector = make(config);
    let isChosen = false;
    return {
      ...connector,
      setup: async () => {},
      connect: (parameters) => {
        isChosen = true;
        return connector.connect(parameters);
      },
      getProvider: async (parameters) => {
        isChosen ||= (await config.storage?.getItem("recentConnectorId")) === connector.id;
        return isChosen ? connector.getProvider(parameters) : undefined;
      },
    };
  };
}
