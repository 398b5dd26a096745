import type { Context } from "hono";
import type { XmlElement } from "#domain/xml.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import type { Failure } from "#worker/api/failure.ts";
import type { ErrorResponse } from "#worker/api/interface.ts";
import { writeXmlElement, type XmlNode } from "#worker/api/xml-text.ts";
import { toOtaErrors } from "./errors.ts";
import { listIgnoredMembers } from "./read-members.ts";

type OtaContext = Context<AppEnvironment>;

const NAMESPACE = "http://www.opentravel.org/OTA/2003/05";
/** Response to a message of an unknown kind. */
export const UNKNOWN_MESSAGE_ROOT = "OTA_ErrorRS";
const MAX_SHORT_TEXT = 1000;
const MAX_WARNINGS = 99;
/** OpenTravel list EWT: no implementation. */
const NO_IMPLEMENTATION = 2;

// Attributes by which clients match answers to their messages.
const CORRELATION = ["EchoToken", "TransactionIdentifier", "SequenceNmbr", "CorrelationID"] as const;

/** A message, or what is known of one that can't be read. */
interface Message {
  readonly c: OtaContext;
  readonly root?: XmlElement | undefined;
  readonly answer: string;
}

/** A message that was read. */
export interface OtaRequest extends Message {
  readonly root: XmlElement;
}

function answerXml({ c, root, answer }: Message, status: number, ...children: readonly XmlNode[]): Response {
  const correlation = Object.fromEntries(CORRELATION.map((name) => [name, root?.attributes[name]]));
  const message = writeXmlElement(
    answer,
    { xmlns: NAMESPACE, Version: "1.0", TimeStamp: new Date(c.get("now")).toISOString(), ...correlation },
    ...children,
  );
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>\n${message}`, {
    status,
    headers: { "Content-Type": "application/xml; charset=utf-8" },
  });
}

/** Answers a message, with a warning for each member that has no effect. */
export function answerSuccess(otaRequest: OtaRequest, ...children: readonly XmlNode[]): Response {
  const warnings = listIgnoredMembers(otaRequest.root)
    .slice(0, MAX_WARNINGS)
    .map((path) => {
      const text = `${path.split("/").at(-1)}: has no effect`;
      return writeXmlElement("Warning", {
        Type: NO_IMPLEMENTATION,
        ShortText: text.slice(0, MAX_SHORT_TEXT),
        Tag: path,
      });
    });
  return answerXml(
    otaRequest,
    200,
    writeXmlElement("Success"),
    warnings.length > 0 ? writeXmlElement("Warnings", {}, ...warnings) : undefined,
    ...children,
  );
}

/** Answers with OpenTravel's errors. */
export function answerError(message: Message, failure: Failure): Response {
  message.c.set("failure", failure);
  const errors = toOtaErrors(failure, message.root?.name ?? message.answer).map(({ type, code, text, tag }) =>
    // The platform's own code, as in the agency API, is in the element's text.
    writeXmlElement(
      "Error",
      { Type: type, Code: code, ShortText: text.slice(0, MAX_SHORT_TEXT), Tag: tag },
      failure.code,
    ),
  );
  const answer = answerXml(message, failure.status, writeXmlElement("Errors", {}, ...errors));
  for (const [header, value] of Object.entries(failure.headers ?? {})) answer.headers.set(header, value);
  return answer;
}

/** Answers a request whose message isn't known with OpenTravel's errors. */
export const toOtaXmlErrorResponse = (c: OtaContext, failure: Failure) =>
  answerError({ c, answer: UNKNOWN_MESSAGE_ROOT }, failure) as ErrorResponse;
