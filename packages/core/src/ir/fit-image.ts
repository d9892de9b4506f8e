import { defined, type Draft } from '../lib/members.ts'
import { fitSize, type Fitting } from './fit-image-size.ts'
import type { ImageDelivery, ImageFacts, ImageOption, ImageRequest, ImageSettings } from './image.ts'
import type { Losses, Path } from './loss.ts'
import { createRefuse } from './refuse.ts'

/**
 * A request as its model can take it. What the card refuses is an error that names the member: `locate` says where the caller's body
 * has it. Everything else that the model cannot do is left out or changed, and reported. Returns the same request if nothing changes.
 */
export function fitImage(
  request: ImageRequest,
  facts: ImageFacts,
  losses: Losses,
  locate: (path: Path) => Path = (path) => path,
): ImageRequest {
  const fitting: Fitting = { facts, losses: losses.at('settings'), refuse: createRefuse(locate) }
  checkImages(request, fitting)
  const settings = fitSettings(request.settings, fitting)
  const delivery = fitDelivery(request.delivery, facts, losses.at('delivery'))
  return settings === request.settings && delivery === request.delivery ? request : { ...request, settings, delivery }
}

function checkImages({ references = [], mask }: ImageRequest, { facts, refuse }: Fitting): void {
  const { references: most = 0 } = facts
  if (references.length > 0 && (most === 0 || refuses(facts, 'references')))
    refuse(['references'], 'this model cannot edit images')
  if (references.length > most) refuse(['references'], `this model takes at most ${countOf(most)} to edit`)
  if (mask === undefined) return
  if (facts.mask !== true || refuses(facts, 'mask')) refuse(['mask'], 'this model takes no mask')
  if (references.length === 0) refuse(['mask'], 'a mask needs an image to edit')
}

function refuses({ refuses: refused = [] }: ImageFacts, member: NonNullable<ImageFacts['refuses']>[number]): boolean {
  return refused.includes(member)
}

function countOf(images: number): string {
  return images === 1 ? 'one image' : `${images} images`
}

function fitSettings(settings: ImageSettings, fitting: Fitting): ImageSettings {
  const { facts, refuse } = fitting
  const { most = 1 } = facts
  for (const setting of Object.keys(settings) as (keyof ImageSettings)[])
    // its own members
    if (refuses(facts, setting)) refuse(['settings', setting], `this model takes no ${WORDS_FOR[setting] ?? setting}`)
  if ((settings.count ?? 1) > most)
    refuse(['settings', 'count'], `this model draws at most ${countOf(most)} per request`)
  const sized = fitSize(settings, fitting)
  const { format: asked, ...others } = sized
  const format = fitFormat(asked, fitting)
  const options = fitOptions(others, fitting)
  const fitted = { ...fitCompression(options, format ?? facts.formats?.[0], fitting), ...defined({ format }) }
  return isSame(fitted, settings) ? settings : fitted
}

/** The names of settings in messages, where their own say too little. */
const WORDS_FOR: { readonly [Setting in keyof ImageSettings]?: string } = {
  negativePrompt: 'negative prompt',
  enhance: 'option to refine prompts',
  guidance: 'guidance scale',
  people: 'option for people',
  safety: 'level of safety',
  explainBlocks: 'option for reasons of blocking',
  aspectRatio: 'aspect ratio',
  tier: 'resolution',
  count: 'number of images',
}

/** The model's only format need not be requested. */
function fitFormat(
  format: string | undefined,
  { facts: { formats = [] }, losses, refuse }: Fitting,
): string | undefined {
  if (format === undefined) return undefined
  if (formats.includes(format)) return formats.length === 1 ? undefined : format
  if (formats.length > 1) refuse(['settings', 'format'], `this model draws ${formats.join(', ')}`)
  losses.dropped(['format'], `this model draws ${formats[0] ?? 'in a format of its own'}`)
  return undefined
}

type Others = Omit<ImageSettings, 'format'>

/** Settings that not every model has. */
function fitOptions(settings: ImageSettings, fitting: Fitting): Others {
  const { facts, losses, refuse } = fitting
  const fitted: Draft<Others> = { ...settings }
  for (const option of Object.keys(settings) as ImageOption[]) {
    if (ALWAYS.has(option)) continue
    const words = option === 'quality' || option === 'background' ? facts.words?.[option] : undefined
    const value = settings[option]
    if (words !== undefined) {
      if (!words.includes(String(value))) refuse(['settings', option], `this model takes ${words.join(', ')}`)
      continue
    }
    if (facts.takes?.includes(option) === true) continue
    losses.dropped([option], `this model takes no ${WORDS_FOR[option] ?? option}`)
    delete fitted[option]
  }
  return fitted
}

/** Only lossy formats have a quality. 100 is the default, and loses nothing. */
function fitCompression(options: Others, format: string | undefined, { losses, refuse }: Fitting): Others {
  const { compression, ...others } = options
  if (compression === undefined) return options
  if (!(compression >= 0 && compression <= 100)) refuse(['settings', 'compression'], 'it must be from 0 to 100')
  if (LOSSY.has(format)) return options
  if (compression < 100) losses.dropped(['compression'], 'only image/jpeg and image/webp have a quality')
  return others
}

const LOSSY: ReadonlySet<string | undefined> = new Set(['image/jpeg', 'image/webp'])

/** They are fitted elsewhere. */
const ALWAYS: ReadonlySet<string> = new Set<Exclude<keyof ImageSettings, ImageOption>>([
  'count',
  'size',
  'tier',
  'aspectRatio',
  'format',
])

/** Streams are left to the gateway, which can emulate them; unfinished images cannot be. */
function fitDelivery(delivery: ImageDelivery, { partials: most = 0 }: ImageFacts, losses: Losses): ImageDelivery {
  const { partials = 0, ...others } = delivery
  if (partials <= most) return delivery
  if (most > 0) losses.changed(['partials'], most, `this model shows at most ${most} unfinished images`)
  else losses.dropped(['partials'], 'this model shows no unfinished images')
  return most > 0 ? { ...others, partials: most } : others
}

function isSame(fitted: ImageSettings, settings: ImageSettings): boolean {
  const members = Object.keys(settings) as (keyof ImageSettings)[] // its own members
  return Object.keys(fitted).length === members.length && members.every((member) => fitted[member] === settings[member])
}
