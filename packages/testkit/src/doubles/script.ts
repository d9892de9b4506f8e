/** The response of a double, for every protocol: the parts of a turn, how it ends, and how the bytes are sent. */
export interface Answer {
  readonly parts: readonly AnswerPart[]
  /** A finish reason of the protocol; by default the one that fits the parts. */
  readonly stop?: string
  readonly usage?: AnswerUsage
  readonly sending?: Sending
}

export type AnswerPart =
  | { readonly text: string }
  /** Reasoning that the double signs. With `hidden`, only the seal is sent; with `omitted`, a messages double leaves out the text. */
  | { readonly reasoning: string; readonly hidden?: true; readonly omitted?: true }
  | { readonly call: string; readonly id: string; readonly input: { readonly [key: string]: unknown } }

export interface AnswerUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  /** Written to the cache, as a part of the input. Only messages doubles report it. */
  readonly cacheWrite?: number
  readonly reasoning?: number
}

/** How the bytes of a stream are sent. */
export interface Sending {
  /** Bytes per write; by default one frame. */
  readonly pieces?: number
  /** Comments or pings between the frames. */
  readonly pings?: true
  /** Stops the stream after this many frames: with a broken connection, a clean end, or an error of the protocol. */
  readonly cut?: { readonly after: number; readonly how: 'broken' | 'clean' | StreamError }
  /** Sends nothing after this many frames until `release` is called. */
  readonly stall?: number
}

/** An error that is not caused by the request: overloaded, rate limited, out of order. */
export interface Failure {
  readonly status: number
  readonly error: ErrorDetail
  readonly headers?: { readonly [name: string]: string }
}

/** The type is one of the protocol, or one that all doubles have in common. */
export interface ErrorDetail {
  readonly type: string
  readonly message: string
  readonly code?: string
  readonly param?: string
}

/** An error inside a stream, with the status that it would have without streaming. */
export interface StreamError {
  readonly status: number
  readonly error: ErrorDetail
}

/** Bytes that are not of the protocol: an error page of a proxy, half a response. */
export interface Raw {
  readonly status: number
  readonly raw: string
  readonly headers?: { readonly [name: string]: string }
}

export type Turn = Answer | Failure | Raw
/** One turn per call. The last turn answers all further calls. */
export type Script = readonly [Turn, ...Turn[]]

export const DEFAULT_USAGE: AnswerUsage = { input: 11, output: 7 }

/** The seals of one double: recognizable, valid only for the text that they were made for, and different from all others. */
export interface Seals {
  readonly sign: (text: string) => string
  readonly hide: (text: string) => string
  readonly isSigned: (signature: string, text: string) => boolean
  /** A signature of this double, for whatever text. */
  readonly isOwn: (signature: string) => boolean
  readonly isHidden: (data: string) => boolean
}

export function createSeals(issuer: string): Seals {
  const hidden = `${issuer}-hidden-`
  const signed = `${issuer}-signature-`
  const sign = (text: string): string => `${signed}${hashOf(text)}`
  return {
    sign,
    hide: (text) => `${hidden}${hashOf(text)}`,
    isSigned: (signature, text) => signature === sign(text),
    isOwn: (signature) => signature.startsWith(signed),
    isHidden: (data) => data.startsWith(hidden),
  }
}

function hashOf(text: string): number {
  let hash = 7
  for (const char of text) hash = (hash * 31 + (char.codePointAt(0) ?? 0)) % 1_000_000_007
  return hash
}

/** A text in a few pieces, as models send it. */
export function tokensOf(text: string): string[] {
  return text === '' ? [] : (text.match(/[\s\S]{1,5}/gu) ?? [text])
}
