import { expect, test } from "vitest";
import { parseEnv } from "@/server/lib/env";
import { simulateHistory } from "./simulate";

test.each([{ DATABASE_URL: "postgres://127.0.0.1:1/none" }, { DATA_DIR: "/nonexistent" }])(
  "rejects anything but a running service in local mode: %j",
  async (variables) => {
    await expect(simulateHistory(parseEnv(variables), 1)).rejects.toThrow(
      /needs a running service/,
    );
  },
);
