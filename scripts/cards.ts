// Writes the model cards of the provider packages from a catalogue of models, limits and prices:
//
//   node scripts/cards.ts path/to/catalogue.json
//
// What it writes is committed. Only facts come from here; what a model does differently is in the packages, by hand. A model
// that no upstream package of ours reaches in a protocol of ours is left out, and so is a price or a date that nobody knows.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { ROOT } from './sources.ts'

type Entry = {
  readonly provider: string
  readonly model_name: string
  readonly display_name: string
  readonly description: string
  readonly owned_by: string
  readonly created_at: string | null
  readonly input_modalities: readonly string[]
  readonly output_modalities: readonly string[]
  readonly capabilities: { readonly reasoning: boolean }
  readonly context_length: number
  readonly outputTokenLimit: number
  readonly pricings: object
  readonly x_extra_pricing?: object
  readonly upstreams: readonly Upstream[]
}
type Upstream = { readonly package: string; readonly model: string; readonly protocols: readonly string[] }
type Package = { readonly file: string; readonly upstreams: readonly string[]; readonly protocols: readonly string[] }

/** The catalogue's words for the protocols that we speak. */
const PROTOCOL_OF: { readonly [word: string]: string } = {
  'chat-completions': 'chat',
  messages: 'messages',
  'generate-content': 'genai',
}

/** Which of the catalogue's upstream packages each package of ours stands for, and what it speaks there. */
const PACKAGES: readonly Package[] = [
  { file: 'packages/provider-openai', upstreams: ['provider-openai'], protocols: ['chat'] },
  { file: 'packages/provider-anthropic', upstreams: ['provider-anthropic'], protocols: ['messages'] },
  { file: 'packages/provider-google', upstreams: ['provider-google'], protocols: ['genai'] },
  {
    file: 'packages/provider-openai-compatible',
    upstreams: ['deepseek', 'groq', 'mistral', 'xai', 'moonshot', 'zhipu', 'cerebras', 'perplexity'].map(
      (vendor) => `provider-${vendor}`,
    ),
    protocols: ['chat', 'messages'],
  },
]

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('usage: node scripts/cards.ts path/to/catalogue.json')
const catalogue = JSON.parse(readFileSync(path, 'utf8')) as { readonly models: readonly Entry[] } // a catalogue, says the caller
for (const each of PACKAGES) write(each, catalogue.models)

function write(target: Package, entries: readonly Entry[]): void {
  const cards = entries.flatMap((entry) => {
    const upstream = entry.upstreams.find(({ package: name }) => target.upstreams.includes(name))
    const spoken = upstream?.protocols.flatMap((word) => PROTOCOL_OF[word] ?? []) ?? []
    const reached = spoken.some((protocol) => target.protocols.includes(protocol))
    return upstream === undefined || !reached ? [] : [{ provider: entry.provider, card: cardOf(entry, upstream) }]
  })
  const providers = [...new Set(cards.map(({ provider }) => provider))]
  const listOf = (provider: string) => cards.filter((each) => each.provider === provider).map(({ card }) => card)
  const several = target.upstreams.length > 1
  const value = several ? Object.fromEntries(providers.map((each) => [each, listOf(each)])) : listOf(providers[0] ?? '')
  const type = several ? '{ readonly [provider: string]: readonly Card[] }' : 'readonly Card[]'
  const file = `${ROOT}/${target.file}/src/models.ts`
  writeFileSync(
    file,
    `import type { Card } from '@dragoman/core'\n\n/** Written by scripts/cards.ts: facts alone, in US dollars. */\n` +
      `export const ${several ? 'modelsOf' : 'models'} = ${JSON.stringify(value, null, 1)} as const satisfies ${type}\n`,
  )
  execFileSync('oxfmt', [file], { stdio: 'inherit' })
  console.log(`${target.file}: ${cards.length} cards`)
}

function cardOf(entry: Entry, upstream: Upstream): object {
  const {
    model_name: name,
    description,
    created_at,
    context_length,
    outputTokenLimit,
    pricings,
    x_extra_pricing,
  } = entry
  return {
    name,
    ...(upstream.model === name ? {} : { upstream: upstream.model }),
    display: entry.display_name,
    ...(description === '' ? {} : { description }),
    owner: entry.owned_by,
    ...(created_at === null ? {} : { released: created_at }),
    ...(context_length === 0 ? {} : { context: context_length }),
    ...(outputTokenLimit === 0 ? {} : { maxOutput: outputTokenLimit }),
    input: entry.input_modalities,
    output: entry.output_modalities,
    ...(entry.capabilities.reasoning ? { reasoning: {} } : {}),
    ...(Object.keys(pricings).length === 0 ? {} : { prices: pricings }),
    ...(x_extra_pricing === undefined ? {} : { otherPrices: x_extra_pricing }),
  }
}
