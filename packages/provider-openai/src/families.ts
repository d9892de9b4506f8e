import { effortQuirks, type Card, type Quirk } from '@dragoman/core/provider'
import type { earlierModels } from './earlier-models.ts'
import { IMAGE_FACTS } from './image-facts.ts'
import type { models } from './models.ts'

type ModelName = (typeof models | typeof earlierModels)[number]['name']
type ImageModelName = keyof typeof IMAGE_FACTS

const OLD: readonly Quirk[] = [{ verb: 'drop', at: 'reasoning', because: 'does not reason' }]

/** The lowest effort is low. Sampling settings are refused while the model reasons, and some of them always. */
const REASONING: readonly Quirk[] = [
  ...effortQuirks({ minimal: 'low' }),
  {
    verb: 'drop',
    at: ['settings.temperature', 'settings.topP', 'settings.logprobs'],
    unless: { 'reasoning.on': false },
    because: 'refuses it while it reasons',
  },
  {
    verb: 'drop',
    at: ['settings.presencePenalty', 'settings.frequencyPenalty', 'settings.logitBias'],
    because: 'refuses it on reasoning models',
  },
]

const UP_TO_XHIGH: readonly Quirk[] = [
  ...REASONING,
  { verb: 'replace', at: 'reasoning.effort', values: { max: 'xhigh' }, because: 'has no such effort' },
]

/** The newest models refuse stop sequences too. */
const NEWEST: readonly Quirk[] = [...REASONING, { verb: 'drop', at: 'settings.stop', because: 'refuses it' }]

/** They always reason, and refuse sampling settings. */
const GPT_5: readonly Quirk[] = [
  ...effortQuirks({ none: 'minimal', xhigh: 'high', max: 'high' }),
  { verb: 'drop', at: 'reasoning.on', because: 'always reasons' },
  {
    verb: 'drop',
    at: [
      'settings.temperature',
      'settings.topP',
      'settings.logprobs',
      'settings.presencePenalty',
      'settings.frequencyPenalty',
      'settings.logitBias',
    ],
    because: 'refuses it on reasoning models',
  },
]

const FAMILY_OF: { readonly [Name in Exclude<ModelName, ImageModelName>]: readonly Quirk[] } = {
  'gpt-5.6-sol': NEWEST,
  'gpt-5.6-terra': NEWEST,
  'gpt-5.6-luna': NEWEST,
  'gpt-5.5': UP_TO_XHIGH,
  'gpt-5.4': UP_TO_XHIGH,
  'gpt-5.4-mini': UP_TO_XHIGH,
  'gpt-5.4-nano': UP_TO_XHIGH,
  'gpt-5.2': UP_TO_XHIGH,
  'gpt-4.1': OLD,
  'gpt-5': GPT_5,
  'gpt-5-mini': GPT_5,
  'gpt-5-nano': GPT_5,
}

export function withFamilies(cards: readonly (Card & { readonly name: ModelName })[]): readonly Card[] {
  return cards.map((card) => ({ ...card, ...familyOf(card.name) }))
}

function familyOf(name: ModelName): Partial<Card> {
  return isImageModel(name) ? { image: IMAGE_FACTS[name] } : { quirks: { chat: FAMILY_OF[name] } }
}

function isImageModel(name: ModelName): name is ImageModelName {
  return Object.hasOwn(IMAGE_FACTS, name)
}
