/** A tool as these tests declare it, in the words of no protocol. */
export interface DeclaredTool {
  readonly name: string
  readonly description: string
  readonly schema: ObjectSchema
}

export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: { readonly [name: string]: object }
  readonly required: string[]
  readonly additionalProperties: false
}

export interface CalledTool {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/** A piece of what a user says. */
export type Piece =
  | string
  | { readonly image: string; readonly mime: string }
  | { readonly imageUrl: string }
  | { readonly pdf: string; readonly name: string }

/** How an answer comes. */
export type Delivery = 'streamed' | 'whole'

/** Why an answer ended, in the words of no protocol. */
export type Finish = 'end' | 'calls' | 'length' | 'filter' | 'sequence'

/** Tokens: what was read from a cache is part of the input, thoughts are part of the output. */
export interface CountedTokens {
  readonly input: number
  readonly output: number
  readonly cached: number
  /** Absent where the protocol does not say. */
  readonly thought?: number
}

/** One answer of a model, as its client saw it. */
export interface Turn {
  readonly text: string
  readonly calls: readonly CalledTool[]
  readonly reasoning: string
  /** In the words of the client. */
  readonly finish: string
  readonly usage: CountedTokens
  readonly headers: Headers
}

export interface Asking {
  readonly model: string
  readonly delivery: Delivery
  readonly system?: string
  readonly tools?: readonly DeclaredTool[]
  /** Reasoning is switched on. */
  readonly thinks?: true
  readonly maxTokens?: number
  readonly stop?: string
  /** What the answer must look like. */
  readonly schema?: ObjectSchema
  readonly signal?: AbortSignal
  /** Told of text as it comes; only of streams. */
  readonly onText?: (piece: string) => void
}

/** A conversation that sends back what its SDK made of the answers. */
export interface Conversation {
  say(...pieces: readonly Piece[]): Promise<Turn>
  /** Answers the calls of the last turn. */
  give(output: (call: CalledTool) => string): Promise<Turn>
  /** Goes on with another model. */
  turnTo(model: string): void
}

export interface Address {
  readonly url: string
  readonly key: string
}

/** What an SDK raised. */
export interface Raised {
  /** It is of the class that the SDK has for this status (wire facts 2.3, 3.6, 4.3). */
  readonly isNative: boolean
  readonly status: number | undefined
  readonly message: string
  /** In the words of the protocol: a type, or a status word. */
  readonly type: string | undefined
  readonly code?: string | null | undefined
  readonly param?: string | null | undefined
  readonly retryAfter: string | null | undefined
}

export interface Counted {
  readonly tokens: number
  readonly headers: Headers
}

/** An official SDK. */
export interface Client {
  readonly name: string
  readonly protocol: 'chat' | 'messages' | 'genai'
  readonly finishOf: Readonly<Record<Finish, string>>
  /** Whether it sends its messages back with everything that was in them. */
  readonly echoes: 'whole' | 'text and ids'
  converse(address: Address, asking: Asking): Conversation
  /** Asks for the number of tokens of a text, where the SDK can. */
  readonly count?: (address: Address, model: string, text: string) => Promise<Counted>
  raised(thrown: unknown): Raised
}

/** Keeps the head of the last answer, which stream helpers do not show. */
export function recordHeaders(): { readonly fetch: typeof fetch; readonly headers: () => Headers } {
  let last = new Headers()
  return {
    headers: () => last,
    async fetch(input, init) {
      const response = await fetch(input, init)
      last = response.headers
      return response
    },
  }
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
