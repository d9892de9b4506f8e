// Writes the model cards of the provider packages from a catalogue of models, limits and prices, and the prices of the catalogue for
// the test that compares every price of the cards with them:
//
//   node scripts/cards.ts path/to/catalogue.json
//
// The output is committed. It contains only facts; the quirks of models are written by hand in the packages. A model that no
// provider package can call in one of its protocols is left out, and so are unknown prices and dates.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { QUALITY_OF } from './quality.ts'
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
  readonly pricings: Prices
  readonly x_extra_pricing?: Prices
  readonly upstreams: readonly Upstream[]
}
type Catalogue = {
  readonly sources: readonly { readonly name: string; readonly date: string }[]
  readonly models: readonly Entry[]
}
type Prices = { readonly [item: string]: readonly Price[] }
type Price = {
  readonly value: number
  readonly unit: string
  readonly currency: string
  readonly conditions?: {
    readonly prompt_tokens: { readonly unit: string; readonly gte: number; readonly lt?: number }
  }
}
type Upstream = { readonly package: string; readonly model: string; readonly protocols: readonly string[] }
type Package = { readonly file: string; readonly upstreams: readonly string[]; readonly protocols: readonly string[] }

const PRICES = 'apps/server/test/prices/catalogue-prices.txt'

/** The protocols by their names in the catalogue. */
const PROTOCOL_OF: { readonly [word: string]: string } = {
  'chat-completions': 'chat',
  images: 'images',
  messages: 'messages',
  responses: 'responses',
  'generate-content': 'genai',
  'predict-long-running': 'own',
  'xai-videos': 'own',
  'kling-tasks': 'own',
}

/** The upstream packages of the catalogue that each provider package stands for, and the protocols that it uses. */
const PACKAGES: readonly Package[] = [
  { file: 'packages/provider-openai', upstreams: ['provider-openai'], protocols: ['chat', 'images', 'responses'] },
  { file: 'packages/provider-anthropic', upstreams: ['provider-anthropic'], protocols: ['messages'] },
  { file: 'packages/provider-google', upstreams: ['provider-google'], protocols: ['genai', 'own'] },
  { file: 'packages/provider-kling', upstreams: ['provider-kling'], protocols: ['own'] },
  {
    file: 'packages/provider-openai-compatible',
    upstreams: ['deepseek', 'groq', 'mistral', 'xai', 'moonshot', 'zhipu', 'cerebras', 'perplexity'].map(
      (vendor) => `provider-${vendor}`,
    ),
    protocols: ['chat', 'messages', 'own'],
  },
]

const [path] = process.argv.slice(2)
if (path === undefined) throw new Error('usage: node scripts/cards.ts path/to/catalogue.json')
const catalogue = JSON.parse(readFileSync(path, 'utf8')) as Catalogue // the argument is one
for (const each of PACKAGES) write(each, catalogue.models)
writePrices(catalogue.models)

/** In the words of the catalogue, one price a line. */
function writePrices(entries: readonly Entry[]): void {
  const used = entries.filter((entry) => PACKAGES.some((target) => upstreamOf(entry, target) !== undefined))
  const lines = used.flatMap(({ provider, model_name, pricings, x_extra_pricing = {} }) =>
    Object.entries({ ...pricings, ...x_extra_pricing }).flatMap(([item, list]) =>
      list.map(({ value, unit, conditions }) => {
        const { unit: _, ...limits } = conditions?.prompt_tokens ?? { unit: '' }
        const range = Object.entries(limits).map(([name, limit]) => `${name} ${limit}`)
        return [`${provider}/${model_name}`, item, value, unit, ...range].join(' ')
      }),
    ),
  )
  const dates = catalogue.sources.map(({ name, date }) => `# ${date} ${name}\n`).join('')
  writeFileSync(`${ROOT}/${PRICES}`, `${dates}${lines.join('\n')}\n`)
  console.log(`${PRICES}: ${lines.length} prices`)
}

function upstreamOf(entry: Entry, target: Package): Upstream | undefined {
  const upstream = entry.upstreams.find(({ package: name }) => target.upstreams.includes(name))
  const supported = upstream?.protocols.flatMap((word) => PROTOCOL_OF[word] ?? []) ?? []
  return supported.some((protocol) => target.protocols.includes(protocol)) ? upstream : undefined
}

function write(target: Package, entries: readonly Entry[]): void {
  const cards = entries.flatMap((entry) => {
    const upstream = upstreamOf(entry, target)
    return upstream === undefined ? [] : [{ provider: entry.provider, card: cardOf(entry, upstream) }]
  })
  const providers = [...new Set(cards.map(({ provider }) => provider))]
  const listOf = (provider: string) => cards.filter((each) => each.provider === provider).map(({ card }) => card)
  const several = target.upstreams.length > 1
  const value = several
    ? `{ ${providers.map((each) => `${JSON.stringify(each)}: [${listOf(each).join(', ')}]`).join(', ')} }`
    : `[${listOf(providers[0] ?? '').join(', ')}]`
  const type = several ? '{ readonly [provider: string]: readonly Card[] }' : 'readonly Card[]'
  const file = `${ROOT}/${target.file}/src/models.ts`
  const names = ['perCount', 'perSecond', 'usd'].filter((name) => value.includes(`${name}(`))
  const types = `type Card, type CardSource`
  writeFileSync(
    file,
    `import ${names.length === 0 ? `type { Card, CardSource }` : `{ ${[...names, types].join(', ')} }`} from '@dragoman/core/provider'\n\n` +
      sourcesOf(catalogue, value) +
      `/** Generated by scripts/cards.ts. */\n` +
      `export const ${several ? 'modelsOf' : 'models'} = ${value} as const satisfies ${type}\n`,
  )
  execFileSync('oxfmt', [file], { stdio: 'inherit' })
  console.log(`${target.file}: ${cards.length} cards`)
}

/** The card as source text. */
function cardOf(entry: Entry, upstream: Upstream): string {
  const { model_name: name, description, created_at, context_length, outputTokenLimit } = entry
  const { pricings, x_extra_pricing } = entry
  const facts = {
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
    ...qualityOf(entry),
    ...(entry.capabilities.reasoning ? { reasoning: {} } : {}),
  }
  const prices = Object.keys(pricings).length === 0 ? [] : [`prices: ${pricesOf(pricings)}`]
  const others = x_extra_pricing === undefined ? [] : [`otherPrices: ${pricesOf(x_extra_pricing)}`]
  const sources = `sources: ${prices.length === 0 ? 'UNPRICED' : 'CATALOGUE'}`
  return `{ ${[JSON.stringify(facts).slice(1, -1), ...prices, ...others, sources].join(', ')} }`
}

/** The first source of the catalogue is its price table, which has the limits too; what that does not have is from documentation. */
function sourcesOf({ sources }: Catalogue, cards: string): string {
  const [table, pages] = sources
  if (table === undefined || pages === undefined) throw new Error('The catalogue names no sources.')
  const known = [
    { name: 'CATALOGUE', facts: ['name', 'limits', 'prices'], from: table.name, date: table.date },
    { name: 'UNPRICED', facts: ['name', 'limits'], from: pages.name.replace(/ \(.*/, ''), date: pages.date },
  ]
  const used = known.filter(({ name }) => cards.includes(`sources: ${name}`))
  return used
    .map(({ name, ...source }) => `const ${name}: readonly CardSource[] = [${JSON.stringify(source)}]\n\n`)
    .join('')
}

/** Models that answer in text have a rank. */
function qualityOf({ provider, model_name, output_modalities }: Entry): { quality?: number } {
  if (!output_modalities.includes('text')) return {}
  const quality = QUALITY_OF[`${provider}/${model_name}`]
  if (quality === undefined) throw new Error(`${provider}/${model_name} has no rank in scripts/quality.ts.`)
  return { quality }
}

/**
 * Prices as a call of `usd`. Throws for prices that it cannot express. The catalogue has tiers from a size on, where the vendors say
 * above it (Google "> 200k", OpenAI "> 272K", Anthropic "> 200K", xAI "exceed"; 2026-11): so does `usd`.
 */
function pricesOf(prices: Prices): string {
  const tiers = Object.values(prices)
    .find((list) => list.length > 1)
    ?.map(({ conditions }) => conditions?.prompt_tokens.gte ?? 0) ?? [0]
  const items = Object.entries(prices).map(([item, list]) => `${item}: ${itemPrice(item, list, tiers)}`)
  const [, ...later] = tiers
  return `usd({ ${items.join(', ')} }${later.length === 0 ? '' : `, [${later.join(', ')}]`})`
}

function itemPrice(item: string, list: readonly Price[], tiers: readonly number[]): string {
  const [first] = list
  if (list.length === 1 && first !== undefined && first.conditions === undefined) {
    if (first.unit === 'perMTokens') return String(first.value)
    if (first.unit === 'perCount' || first.unit === 'perSecond') return `${first.unit}(${first.value})`
  }
  const fits =
    list.length === tiers.length &&
    list.every(({ unit, conditions }, index) => {
      const { unit: size, gte, lt } = conditions?.prompt_tokens ?? { unit: '', gte: -1 }
      return unit === 'perMTokens' && size === 'kTokens' && gte === tiers[index] && lt === tiers[index + 1]
    })
  if (!fits) throw new Error(`The prices of ${item} need a form that usd() does not have.`)
  return `[${list.map(({ value }) => value).join(', ')}]`
}
