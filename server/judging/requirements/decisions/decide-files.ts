import { sha256 } from "@/server/lib/hash";
import { count, type Decide } from "./reading";

export const decideSha256: Decide<"sha256"> = ({ file, bytes }, { hash }) => {
  const passed = (file?.sha256 ?? sha256(bytes)) === hash;
  return { passed, observed: passed ? "the same hash" : "another hash" };
};

export const decideMaxBytes: Decide<"max-bytes"> = ({ file, bytes }, { bytes: max }) => {
  const size = file?.bytes ?? bytes.length;
  return { passed: size <= max, observed: count(size, "byte") };
};

export const decideMediaType: Decide<"media-type"> = ({ file }, { type }) => {
  if (!file) return { passed: false, observed: "text without a media type; a URL is needed" };
  return file.mediaType === type
    ? { passed: true, observed: "that type" }
    : { passed: false, observed: "another type", detail: `It is ${file.mediaType}.` };
};
