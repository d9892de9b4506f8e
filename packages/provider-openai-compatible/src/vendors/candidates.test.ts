import { chat, genai, translate } from '@dragoman/core'
import { prepareQuirks, type ProviderDefinition } from '@dragoman/core/provider'
import { expect, it } from 'vitest'
import { cerebras } from './cerebras.ts'
import { deepseek } from './deepseek.ts'
import { fireworks } from './fireworks.ts'
import { groq } from './groq.ts'
import { lmstudio } from './lmstudio.ts'
import { mistral } from './mistral.ts'
import { moonshot } from './moonshot.ts'
import { ollama } from './ollama.ts'
import { openrouter } from './openrouter.ts'
import { perplexity } from './perplexity.ts'
import { together } from './together.ts'
import { vllm } from './vllm.ts'
import { xai } from './xai.ts'
import { zhipu } from './zhipu.ts'

const body = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }], generationConfig: { candidateCount: 2 } }
function ask({ quirks, extensions }: Pick<ProviderDefinition, 'quirks' | 'extensions'>) {
  const options = { quirks: prepareQuirks(quirks?.['chat'] ?? []), dialect: extensions?.['chat'] }
  const sent = translate(genai, chat, body, { model: 'm', ...options })
  const lost = sent.losses.map(({ kind, path }) => `${kind} ${path.join('.')}`)
  return { n: sent.body.n, lost: lost.filter((entry) => entry.includes('candidates')) }
}

it.each([fireworks, mistral, together, vllm, xai])('$name gives several candidates', (vendor) => {
  expect(ask(vendor)).toEqual({ n: 2, lost: [] })
})

// Groq answers 400 to any other number, the others do not document the member.
it.each([cerebras, deepseek, groq, lmstudio, moonshot, ollama, openrouter, perplexity, zhipu])(
  '$name gives one, which is reported',
  (vendor) => {
    expect(ask(vendor)).toEqual({ n: undefined, lost: ['dropped settings.candidates'] })
  },
)

it('mistral-large-2512 gives one, which is reported', () => {
  const card = mistral.models.find(({ name }) => name === 'mistral-large-2512')
  expect(ask(card ?? {})).toEqual({ n: undefined, lost: ['dropped settings.candidates'] })
})
