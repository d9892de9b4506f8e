import type { Json, JsonObject } from '../lib/json.ts'

/**
 * What one upstream does differently with requests, as data. A place is a path of the IR, `settings.topK`, where `*` stands for
 * every element of a list; in a `rename` it is a path of the wire.
 */
export type Quirk = Drop | Clamp | Default | Require | Exclude | Replace | Instruct | Rename

interface Conditional {
  /** Only where this place is there, or where these places hold these values; of a list, all must hold. */
  readonly when?: Condition
  readonly unless?: Condition
  /** For the loss report, after "this upstream". */
  readonly because?: string
}

export type Condition = Holding | readonly Holding[]
type Holding = string | { readonly [place: string]: Json }

/** The upstream refuses it or has no use for it. */
export interface Drop extends Conditional {
  readonly verb: 'drop'
  readonly at: string | readonly string[]
}

/** A number outside its range goes to the nearer end; of a list, the first `max` elements stay. */
export interface Clamp extends Conditional {
  readonly verb: 'clamp'
  readonly at: string
  readonly min?: number
  readonly max?: number
}

/** Said for a caller who did not. */
export interface Default extends Conditional {
  readonly verb: 'default'
  readonly at: string
  readonly to: Json
}

/** Without it the request is refused before any call. */
export interface Require extends Conditional {
  readonly verb: 'require'
  readonly at: string
}

/** The upstream refuses them together: the first one that is there stays. */
export interface Exclude extends Conditional {
  readonly verb: 'exclude'
  readonly at: readonly string[]
}

/** Another value with nearly the same meaning: word for word, or by the first step that is not below a number. */
export interface Replace extends Conditional {
  readonly verb: 'replace'
  readonly at: string
  readonly values?: { readonly [value: string]: Json }
  /** Ascending; above the last one its value stands too. */
  readonly steps?: readonly (readonly [upTo: number, value: Json])[]
  /** The place of the new value, if it is another one; a value that is there already stays. */
  readonly as?: string
}

/** Has no member for it at the upstream, but can be asked of the model: `{}` in the text is the value, as JSON. */
export interface Instruct extends Conditional {
  readonly verb: 'instruct'
  readonly at: string
  readonly text: string
}

/** The same thing under another name on the wire, so nothing is lost and nothing reported. */
export interface Rename {
  readonly verb: 'rename'
  readonly at: string
  readonly to?: string
  /** Other words for its values; an object stands for members that are said instead. */
  readonly values?: { readonly [value: string]: string | JsonObject }
}
