/** A tool as these tests declare it, in the words of no protocol. */
export interface DeclaredTool {
  readonly name: string
  readonly description: string
  readonly schema: { readonly type: 'object'; readonly properties: object; readonly required: string[] }
}

export interface CalledTool {
  readonly id: string
  readonly name: string
  readonly arguments: unknown
}

/** One answer of a model, as its client saw it. */
export interface Turn {
  readonly text: string
  readonly calls: readonly CalledTool[]
  readonly reasoning: string
  readonly signatures: readonly string[]
  readonly finish: string
  readonly usage: { readonly input: number; readonly output: number }
  readonly headers: Headers
}

/** A conversation that echoes whole messages, as agents do. */
export interface Conversation {
  say(text: string): Promise<Turn>
  /** Answers the calls of the last turn. */
  give(output: (call: CalledTool) => string): Promise<Turn>
  /** Damages the signature of the last answer in the history. */
  tamper(): void
}

export interface Address {
  readonly url: string
  readonly key: string
}

/** An official SDK with reasoning and tools switched on. */
export interface Client {
  readonly name: string
  readonly protocol: string
  /** What its protocol calls an answer that waits for tools. */
  readonly callsFinish: string
  converse(address: Address, model: string, tools: readonly DeclaredTool[], delivery: Delivery): Conversation
}

/** How its answers come. */
export type Delivery = 'streamed' | 'whole'

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

/** The same text with another last character. */
export function damaged(signature: string): string {
  return `${signature.slice(0, -1)}${signature.endsWith('0') ? '1' : '0'}`
}
