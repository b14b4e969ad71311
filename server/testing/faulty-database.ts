import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A database proxy whose connections can be broken at a chosen moment. */
export interface FaultyDatabase {
  url: string;
  /**
   * Makes the next client message that contains `text` fail: the client receives the database's own
   * message that an administrator ended the connection, and a reset of the socket. The message
   * never reaches the database.
   */
  breakAt(text: string): void;
  /** Cuts every connection and refuses new ones, until it is set to false. */
  setDown(isDown: boolean): void;
  /** Passes nothing on any more, like a dead network. */
  fallSilent(): void;
  close(): Promise<void>;
}

const FATAL = fatal({ S: "FATAL", V: "FATAL", C: "57P01", M: "terminating connection" });

/** Starts a proxy for the database at `url`. */
export async function startFaultyDatabase(url: string): Promise<FaultyDatabase> {
  const upstream = new URL(url);
  const open = new Set<Socket>();
  let trigger: string | null = null;
  let isDown = false;
  const proxy = createServer({ noDelay: true }, (client) => {
    if (isDown) return void client.resetAndDestroy();
    const database = connect(Number(upstream.port), upstream.hostname);
    for (const socket of [client, database]) {
      open.add(socket);
      socket.on("error", () => {}).on("close", () => open.delete(socket));
    }
    client.on("data", (data) => {
      if (!(trigger && data.includes(trigger))) return database.write(data);
      trigger = null;
      database.destroy();
      // A reset discards data that was not read before it.
      client.write(FATAL, () => setTimeout(() => client.resetAndDestroy(), 20));
    });
    client.on("close", () => database.destroy());
    database.on("data", (data) => client.write(data));
    database.on("close", () => client.end());
  });
  const reachable = new URL(url);
  await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
  reachable.port = String((proxy.address() as AddressInfo).port);
  return {
    url: reachable.href,
    breakAt: (text) => {
      trigger = text;
    },
    setDown: (down) => {
      isDown = down;
      if (down) for (const socket of open) socket.resetAndDestroy();
    },
    fallSilent: () => {
      for (const socket of open) socket.pause();
    },
    close: async () => {
      for (const socket of open) socket.destroy();
      await new Promise((done) => proxy.close(done));
    },
  };
}

/**
 * Builds an ErrorResponse of Postgres' protocol, version 3. See
 * https://www.postgresql.org/docs/18/protocol-message-formats.html
 */
function fatal(fields: Record<string, string>): Buffer {
  const body = Object.entries(fields).map(([key, value]) => `${key}${value}\0`);
  const text = Buffer.from(`${body.join("")}\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(4 + text.length, 1);
  return Buffer.concat([head, text]);
}
