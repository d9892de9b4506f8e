import type { Json, JsonObject } from '../lib/json.ts'
import type { Loss } from './loss.ts'
import type { ModelRequest } from './request.ts'

/**
 * How one upstream differs in its requests, as data. A path is a path of the IR, `settings.topK`, where `*` is every element of a list;
 * in a `rename` it is a path of the wire.
 */
export type Quirk = Drop | Clamp | Default | Require | Exclude | Replace | Instruct | Declare | Rename

interface Conditional {
  /** Applies only if this path exists, or if these paths have these values; of a list, all must match. */
  readonly when?: Condition
  readonly unless?: Condition
  /** For the loss report, after "this upstream". */
  readonly because?: string
}

export type Condition = Holding | readonly Holding[]
type Holding = string | { readonly [path: string]: Json }

/** The upstream refuses or ignores it. */
export interface Drop extends Conditional {
  readonly verb: 'drop'
  readonly at: string | readonly string[]
}

/** A number outside its range is moved to the nearer end; of a list, the first `max` elements are kept. */
export interface Clamp extends Conditional {
  readonly verb: 'clamp'
  readonly at: string
  readonly min?: number
  readonly max?: number
}

/** Set if the caller did not. */
export interface Default extends Conditional {
  readonly verb: 'default'
  readonly at: string
  readonly to: Json
}

/** A request without it is refused before any call. */
export interface Require extends Conditional {
  readonly verb: 'require'
  readonly at: string
}

/** The upstream refuses them together: the first existing one is kept. */
export interface Exclude extends Conditional {
  readonly verb: 'exclude'
  readonly at: readonly string[]
}

/** Another value with nearly the same meaning: by a table, or by the first step that is not below a number. */
export interface Replace extends Conditional {
  readonly verb: 'replace'
  readonly at: string
  readonly values?: { readonly [value: string]: Json }
  /** Ascending; above the last one, its value is used. */
  readonly steps?: readonly (readonly [upTo: number, value: Json])[]
  /** The path of the new value, if it is another one; an existing value is kept. */
  readonly as?: string
}

/** The upstream has no member for it, but the model can be instructed: `{}` in the text is the value, as JSON. */
export interface Instruct extends Conditional {
  readonly verb: 'instruct'
  readonly at: string
  readonly text: string
}

/**
 * The upstream refuses calls in the history of a request without tools, as Bedrock does: the called tools are declared by their names, and none
 * may be called.
 */
export interface Declare extends Conditional {
  readonly verb: 'declare'
  readonly at: 'tools'
}

/** The same value under another name on the wire, so nothing is lost and nothing is reported. */
export interface Rename {
  readonly verb: 'rename'
  readonly at: string
  readonly to?: string
  /** Other words for its values; an object stands for members that are written instead. */
  readonly values?: { readonly [value: string]: string | JsonObject }
}

/** Quirks as `translate` uses them. They are prepared elsewhere, so that converters without quirks do not load them. */
export interface RequestQuirks {
  apply(request: ModelRequest): AppliedQuirks
  /** A request body with the upstream's own names. */
  rename(wire: JsonObject): JsonObject
}

/** A request with its quirks applied. */
export interface AppliedQuirks {
  readonly request: ModelRequest
  /** The losses of the quirks together with those of the encoding; `original` is the request before the quirks. */
  report(encoding: readonly Loss[], original: ModelRequest): readonly Loss[]
}
