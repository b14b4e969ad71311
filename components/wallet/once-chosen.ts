import type { CreateConnectorFn } from "wagmi";

/**
 * Lets a connector sleep until somebody chooses it, or did so last time. When a page opens, wagmi
 * asks every connector for its provider, for which these load their code and call other hosts.
 */
export function onceChosen(make: CreateConnectorFn): CreateConnectorFn {
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
