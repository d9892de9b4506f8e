import type { ImageSettings } from '../../ir/image.ts'
import type { Losses } from '../../ir/loss.ts'
import { nest } from '../../ir/extras.ts'
import { isEmpty, type JsonObject } from '../../lib/json.ts'
import { decodeMembers, encodeMembers, isNumber, isString, type Members } from '../../lib/members.ts'
import type { Encoding } from '../context.ts'
import { reportUnsupported } from '../member-tables.ts'
import { IMAGE_TABLES } from './image-members.ts'
import type { WireParameters } from './image-schema.ts'

const isFlag = (value: unknown): boolean => typeof value === 'boolean'

/** The member that holds a setting. */
const SETTINGS: Members<WireParameters, ImageSettings> = {
  sampleCount: ['count', isNumber],
  imageSize: ['size', isString],
  sampleImageSize: ['tier', isString],
  aspectRatio: ['aspectRatio', isString],
  quality: ['quality', isString],
  negativePrompt: ['negativePrompt', isString],
  seed: ['seed', isNumber],
  enhancePrompt: ['enhance', isFlag],
  addWatermark: ['watermark', isFlag],
  guidanceScale: ['guidance', isNumber],
  personGeneration: ['people', isString],
  safetySetting: ['safety', isString],
  includeRaiReason: ['explainBlocks', isFlag],
}

const OUTPUT: Members<NonNullable<WireParameters['outputOptions']>, ImageSettings> = {
  mimeType: ['format', isString],
  compressionQuality: ['compression', isNumber],
}

/** The settings of a request, and the other parameters. */
export function decodeParameters({ outputOptions, ...others }: WireParameters): {
  readonly settings: ImageSettings
  readonly rest: object
} {
  const { ours, rest } = decodeMembers(others, SETTINGS)
  const output = decodeMembers(outputOptions ?? {}, OUTPUT)
  const settings = { ...ours, ...output.ours }
  // SDKs write these words in upper case, and the REST reference does not.
  if (settings.people !== undefined) settings.people = settings.people.toLowerCase()
  if (settings.safety !== undefined) settings.safety = settings.safety.toUpperCase()
  if (settings.tier !== undefined) settings.tier = settings.tier.toUpperCase()
  if (settings.format !== undefined) settings.format = settings.format.toLowerCase()
  return { settings, rest: nest(rest, 'outputOptions', output.rest) }
}

export function encodeParameters(settings: ImageSettings, losses: Losses, context: Encoding): WireParameters {
  reportUnsupported(settings, IMAGE_TABLES.settings, losses, context)
  const safety = settings.safety === undefined ? undefined : encodeSafety(settings.safety, losses)
  const outputOptions = encodeMembers(settings, OUTPUT)
  return {
    ...encodeMembers(safety === undefined ? settings : { ...settings, safety }, SETTINGS),
    ...(isEmpty(outputOptions) ? undefined : { outputOptions }),
  }
}

/** The levels of other vendors. */
const LEVEL_OF: ReadonlyMap<string, string> = new Map([
  ['low', 'BLOCK_ONLY_HIGH'],
  ['auto', 'BLOCK_MEDIUM_AND_ABOVE'],
])

function encodeSafety(safety: string, losses: Losses): string {
  const level = LEVEL_OF.get(safety) ?? safety.toUpperCase()
  if (level !== safety) losses.changed(['safety'], level, 'a level of genai')
  return level
}

/** The parameters that the SDKs can put beside `parameters`. */
export function joinPassthrough(
  parameters: WireParameters | undefined,
  beside: Pick<WireParameters, 'imageSize' | 'quality' | 'sampleImageSize'>,
): WireParameters {
  const given = Object.entries(beside).filter(([, value]) => value !== undefined)
  return { ...(Object.fromEntries(given) as JsonObject), ...parameters }
}
