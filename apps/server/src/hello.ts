import { protocols } from '@dragoman/core'

export interface HelloFacts {
  readonly url: string
  /** The key of this machine; absent when the operator has given keys of their own, which are never printed. */
  readonly localKey: string | undefined
}

/** What a newcomer sees: where the gateway listens, the key, and a call per protocol to paste. */
export function hello({ url, localKey }: HelloFacts): string {
  // The shell fills it in where the same variable is set.
  const key = localKey ?? '${DRAGOMAN_KEYS%%,*}'
  const shown = localKey === undefined ? 'keys        the ones in DRAGOMAN_KEYS' : `local key   ${localKey}`
  const examples = protocols.flatMap((protocol) => {
    const call = EXAMPLE_OF[protocol.name]
    return call === undefined
      ? []
      : [`\n${protocol.name} at ${url}${protocol.http.base}`, `  ${call(url + protocol.http.base, key)}`]
  })
  return [`dragoman listens on ${url}`, shown, ...examples, ''].join('\n')
}

type Example = (base: string, key: string) => string

/** A first call in each protocol, as its own documentation would show it. */
const EXAMPLE_OF: { readonly [protocol: string]: Example } = {
  chat: (base, key) =>
    curl(`${base}/chat/completions`, [`authorization: Bearer ${key}`], {
      model: 'sim/chat-1',
      messages: [{ role: 'user', content: 'Why is the sky blue?' }],
    }),
  messages: (base, key) =>
    curl(`${base}/v1/messages`, [`x-api-key: ${key}`, 'anthropic-version: 2023-06-01'], {
      model: 'sim/messages-1',
      max_tokens: 1024,
      messages: [{ role: 'user', content: 'Why is the sky blue?' }],
    }),
  genai: (base, key) =>
    curl(`${base}/v1/publishers/sim/models/genai-1:generateContent`, [`authorization: Bearer ${key}`], {
      contents: [{ role: 'user', parts: [{ text: 'Why is the sky blue?' }] }],
    }),
}

function curl(url: string, headers: readonly string[], body: object): string {
  const lines = ['content-type: application/json', ...headers].map((header) => `-H "${header}"`)
  return `curl -s ${url} ${lines.join(' ')} -d '${JSON.stringify(body)}'`
}
