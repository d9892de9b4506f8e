import { protocols } from '@dragoman/core/protocols'
import type { Provider } from '@dragoman/core/provider'
import { exampleModel, type ExampleModel } from './example-model.ts'
import type { FirstAdmin } from './first-admin.ts'
import { VARIABLES } from './variables.ts'

export interface HelloFacts {
  readonly url: string
  /** The configuration file, if one was read. */
  readonly file: string | undefined
  /** The local key; absent if the operator has set keys, which are never printed. */
  readonly localKey: string | undefined
  /** How the operator gets the first admin key; only at the first start. */
  readonly firstAdmin: FirstAdmin | undefined
  /** Whether the operator's keys are those of the environment. */
  readonly keysFrom: 'environment' | 'file'
  readonly providers: readonly Provider[]
}

/** The greeting: the address, the models, the key, and an example call for each protocol. */
export function hello({ url, file, localKey, firstAdmin, keysFrom, providers }: HelloFacts): string {
  // The shell fills it in if the same variable is set.
  const key = localKey ?? (keysFrom === 'file' ? '$DRAGOMAN_KEY' : `\${${VARIABLES.keys}%%,*}`)
  const operators =
    keysFrom === 'file' ? 'the ones in the configuration (here $DRAGOMAN_KEY)' : `the ones in ${VARIABLES.keys}`
  const facts = [
    `dragoman listens on ${url}`,
    ...(file === undefined ? [] : [`configured  by ${file}`]),
    `providers   ${providers.map(({ name, models }) => `${name} (${models.length})`).join(', ') || 'none'}`,
    localKey === undefined ? `keys        ${operators}` : `local key   ${localKey}`,
    ...(firstAdmin === undefined ? [] : [`admin key   ${adminKey(firstAdmin)}`]),
  ]
  const examples = protocols.flatMap((protocol) => {
    const call = EXAMPLE_OF[protocol.name]
    const model = exampleModel(protocol.name, providers)
    const base = url + protocol.http.base
    return call === undefined || model === undefined
      ? []
      : [`\n${protocol.name} at ${base}`, `  ${call(base, key, model)}`]
  })
  // The models of Ollama are found after the start, and some providers have no conversations.
  if (examples.length === 0) examples.push(`\nno model for an example: curl -s ${url}/api/v1/models lists all models`)
  return [...facts, ...examples, ''].join('\n')
}

/** Without a terminal the output may be a log: then the key is in a file. */
function adminKey(first: FirstAdmin): string {
  return 'secret' in first ? `${first.secret} (shown only now)` : `in ${first.file} (delete it when you have it)`
}

type Example = (base: string, key: string, model: ExampleModel) => string

/** A first call in each protocol, as in its own documentation. */
const EXAMPLE_OF: { readonly [protocol: string]: Example } = {
  chat: (base, key, { provider, name }) =>
    curl(`${base}/chat/completions`, [`authorization: Bearer ${key}`], {
      model: `${provider}/${name}`,
      messages: [{ role: 'user', content: 'Why is the sky blue?' }],
    }),
  messages: (base, key, { provider, name }) =>
    curl(`${base}/v1/messages`, [`x-api-key: ${key}`, 'anthropic-version: 2023-06-01'], {
      model: `${provider}/${name}`,
      max_tokens: 1024,
      messages: [{ role: 'user', content: 'Why is the sky blue?' }],
    }),
  genai: (base, key, { provider, name }) =>
    curl(`${base}/v1/publishers/${provider}/models/${name}:generateContent`, [`authorization: Bearer ${key}`], {
      contents: [{ role: 'user', parts: [{ text: 'Why is the sky blue?' }] }],
    }),
  responses: (base, key, { provider, name }) =>
    curl(`${base}/responses`, [`authorization: Bearer ${key}`], {
      model: `${provider}/${name}`,
      input: 'Why is the sky blue?',
    }),
}

function curl(url: string, headers: readonly string[], body: object): string {
  const lines = ['content-type: application/json', ...headers].map((header) => `-H "${header}"`)
  return `curl -s ${url} ${lines.join(' ')} -d '${JSON.stringify(body)}'`
}
