/** A tool, independent of any protocol. */
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

/** A part of a user message. */
export type Piece =
  | string
  | { readonly image: string; readonly mime: string }
  | { readonly imageUrl: string }
  | { readonly pdf: string; readonly name: string }

/** How a response is delivered. */
export type Delivery = 'streamed' | 'whole'

/** The finish reason of a response, independent of any protocol. */
export type Finish = 'end' | 'calls' | 'length' | 'filter' | 'sequence'

/** Tokens: those read from a cache are part of the input, reasoning is part of the output. */
export interface CountedTokens {
  readonly input: number
  readonly output: number
  readonly cached: number
  /** Absent if the protocol does not have it. */
  readonly thought?: number
}

/** One response of a model, as its client read it. */
export interface Turn {
  readonly text: string
  readonly calls: readonly CalledTool[]
  readonly reasoning: string
  /** The finish reason in the client's own form. */
  readonly finish: string
  readonly usage: CountedTokens
  readonly headers: Headers
}

export interface ConversationOptions {
  readonly model: string
  readonly delivery: Delivery
  readonly system?: string
  readonly tools?: readonly DeclaredTool[]
  /** Whether reasoning is enabled. */
  readonly thinks?: true
  readonly maxTokens?: number
  readonly stop?: string
  /** The schema of the response. */
  readonly schema?: ObjectSchema
  readonly signal?: AbortSignal
  /** Receives text as it arrives; only for streams. */
  readonly onText?: (piece: string) => void
}

/** A conversation that sends back what its SDK made of the responses. */
export interface Conversation {
  send(...pieces: readonly Piece[]): Promise<Turn>
  /** Answers the calls of the last turn. */
  sendResults(output: (call: CalledTool) => string): Promise<Turn>
  /** Continues with another model. */
  switchTo(model: string): void
}

export interface Address {
  readonly url: string
  readonly key: string
}

/** The error that an SDK raised. */
export interface Raised {
  /** Whether it has the class that the SDK defines for this status. */
  readonly isNative: boolean
  readonly status: number | undefined
  readonly message: string
  /** The error type of the protocol, or its status text. */
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
  readonly protocol: 'chat' | 'messages' | 'genai' | 'responses'
  readonly finishOf: Readonly<Record<Finish, string>>
  /** Whether it sends its messages back with all of their members. */
  readonly echoes: 'whole' | 'text and ids'
  converse(address: Address, options: ConversationOptions): Conversation
  /** Counts the tokens of a text, if the SDK can. */
  readonly count?: (address: Address, model: string, text: string) => Promise<Counted>
  raised(thrown: unknown): Raised
}

/** Keeps the head of the last response, which stream helpers do not expose. */
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
