import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** Unfolded, by name in lower case. */
  headers: Record<string, string>;
  text: string;
}

type Step = "MAIL FROM" | "RCPT TO";

/** Starts a real mail server on loopback that stores what it receives. */
export async function startMailServer(port = 0) {
  const mails: ReceivedMail[] = [];
  const refusals: { code: number; at: Step; text: string }[] = [];
  const answer = (step: Step, done: (error?: Error | null) => void) => {
    if (refusals[0]?.at !== step) return done();
    const { code: responseCode, text } = refusals.splice(0, 1)[0] as (typeof refusals)[0];
    done(Object.assign(new Error(text), { responseCode }));
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onMailFrom: (_address, _session, done) => answer("MAIL FROM", done),
    onRcptTo: (_address, _session, done) => answer("RCPT TO", done),
    onData(stream, { envelope }, done) {
      text(stream).then((raw) => {
        const { mailFrom, rcptTo } = envelope;
        mails.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          ...parse(raw),
        });
        done();
      }, done);
    },
  });
  server.listen(port, "127.0.0.1");
  await once(server.server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    /** Makes it refuse the next mail with a reply code, at a step. */
    refuseNext: (code: number, at: Step = "RCPT TO", text = "refused") =>
      refusals.push({ code, at, text }),
    close: () => new Promise<void>((done) => server.close(() => done())),
  };
}

function parse(raw: string): Pick<ReceivedMail, "headers" | "text"> {
  const [head = "", ...body] = raw.split("\r\n\r\n");
  const headers = Object.fromEntries(
    head
      .replace(/\r\n[ \t]+/g, " ")
      .split("\r\n")
      .map((line) => line.match(/^([^:]+): (.*)$/)?.slice(1) as [string, string])
      .map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { headers, text: decode(body.join("\r\n\r\n"), headers["content-transfer-encoding"]) };
}

function decode(body: string, encoding: string | undefined): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  const bytes =
    encoding === "quoted-printable"
      ? body
          .replace(/=\r\n/g, "")
          .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
      : body;
  return Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\r\n", "\n");
}
