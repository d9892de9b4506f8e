import type { DragomanError } from './error.ts'
import type { Node } from './extras.ts'
import type { Source } from './part.ts'
import type { Usage } from './usage.ts'

/** A request for images: new ones, or edits of given ones. */
export interface ImageRequest extends Node {
  readonly model: string
  readonly prompt: string
  /** The images to edit or to follow, in order. A request with one of them is an edit. */
  readonly references?: readonly ReferenceImage[]
  /** What to change in the first image. */
  readonly mask?: ImageMask
  readonly settings: ImageSettings
  readonly delivery: ImageDelivery
  /** The end user, as an opaque identifier: upstreams use it to detect abuse. */
  readonly user?: string
}

/** An image that the request gives. */
export interface ReferenceImage extends Node {
  readonly source: Source
  /** The number by which the prompt can name it. */
  readonly id?: number
  /** What it is for; by default it is the image to edit. */
  readonly role?: 'style' | 'subject' | 'control' | 'content'
}

/** Marks the part of the first image that is to change. */
export interface ImageMask extends Node {
  /** Transparent where the image is to change. Absent if the model finds the part itself, as `mode` says. */
  readonly source?: Source
  readonly id?: number
  /** How the mask is made, as the wire names it; by default the caller gives it. */
  readonly mode?: string
}

/** The requested properties of the images. */
export interface ImageSettings {
  readonly count?: number
  /** `<width>x<height>`, or `auto`. */
  readonly size?: string
  /** The resolution: 1K, 2K or 4K. Its pixels follow from the aspect ratio. */
  readonly tier?: string
  /** `<width>:<height>`. */
  readonly aspectRatio?: string
  /** low, medium, high, auto, or a word of one vendor. */
  readonly quality?: string
  /** transparent, opaque, auto. */
  readonly background?: string
  /** The media type: image/png, image/jpeg, image/webp. */
  readonly format?: string
  /** The quality of lossy formats, 0 to 100. */
  readonly compression?: number
  readonly negativePrompt?: string
  readonly seed?: number
  /** Whether the prompt is refined before it is used. */
  readonly enhance?: boolean
  readonly watermark?: boolean
  /** How closely the prompt is followed. */
  readonly guidance?: number
  /** Whether people may be drawn: dont_allow, allow_adult, allow_all. */
  readonly people?: string
  /** How strict the filter is: a threshold of genai (BLOCK_ONLY_HIGH, …), or low or auto. */
  readonly safety?: string
  /** Whether an answer says why an image was blocked. */
  readonly explainBlocks?: boolean
  /** How closely given images are followed: low, high. */
  readonly fidelity?: string
  /** vivid, natural. */
  readonly style?: string
}

/** How the images are delivered. */
export interface ImageDelivery {
  readonly stream?: boolean
  /** The number of unfinished images that a stream shows. */
  readonly partials?: number
  /** As URLs; by default as base64. */
  readonly form?: 'url'
}

/** The images of a request. */
export interface ImageAnswer extends ImageLook, Node {
  readonly images: readonly DrawnImage[]
  readonly usage?: Usage
}

/** What an answer says about its images. */
export interface ImageLook {
  /** Unix seconds. */
  readonly created?: number
  readonly size?: string
  readonly quality?: string
  readonly background?: string
  /** The media type. */
  readonly format?: string
}

/** One image of an answer. */
export interface DrawnImage extends Node {
  /** Absent if it was blocked. */
  readonly source?: Source
  /** The refined prompt that was used. */
  readonly prompt?: string
  /** Why it was blocked. */
  readonly blocked?: string
}

/**
 * An answer as a stream: unfinished images, the finished ones, and one terminal event, `end` or `error`. The look of the last image
 * that was not blocked, and the last usage, are those of the answer.
 */
export type ImageEvent =
  | { readonly type: 'partial'; readonly index: number; readonly source: Source; readonly look: ImageLook & Node }
  | { readonly type: 'image'; readonly image: DrawnImage; readonly look: ImageLook & Node; readonly usage?: Usage }
  | { readonly type: 'end' }
  | { readonly type: 'error'; readonly error: DragomanError }

/** What a model can draw, as its card says. A card with these facts serves images. */
export interface ImageFacts {
  /** `generate`: the model draws in a conversation, as part of its answer. By default it has a call of its own. */
  readonly via?: 'generate'
  /** The most images of a request; by default 1. */
  readonly most?: number
  /** The most images of one upstream call, if fewer: the gateway makes several calls. */
  readonly perCall?: number
  /** The most given images; by default 0, which means that it cannot edit. */
  readonly references?: number
  readonly mask?: boolean
  /** The sizes that can be asked for, `auto` among them; `custom` are any that follow the rule. */
  readonly sizes?: readonly string[]
  readonly custom?: SizeRule
  /** The aspect ratios that can be asked for. */
  readonly ratios?: readonly string[]
  /** The resolutions that can be asked for. */
  readonly tiers?: readonly string[]
  /** For models that take pixels: the size of a ratio in each tier. Others are computed by the rule of custom sizes. */
  readonly pixels?: { readonly [tier: string]: { readonly [ratio: string]: string } }
  /** The most unfinished images of a stream. Absent if its upstream cannot stream. */
  readonly partials?: number
  /** The media types that can be asked for, the default first. */
  readonly formats?: readonly string[]
  /** The values of some settings that can be asked for. */
  readonly words?: { readonly [Setting in 'quality' | 'background']?: readonly string[] }
  /** The settings that it takes, beside those above. Others are left out and reported. */
  readonly takes?: readonly ImageOption[]
  /** The settings that are refused instead. */
  readonly refuses?: readonly (keyof ImageSettings | 'mask' | 'references')[]
}

/** The settings that some models take and others do not. */
export type ImageOption = Exclude<keyof ImageSettings, 'count' | 'size' | 'tier' | 'aspectRatio' | 'format'>

/** The sizes that a model takes beside its listed ones. */
export interface SizeRule {
  /** Width and height are multiples of this. */
  readonly multiple: number
  readonly minSide?: number
  readonly maxSide: number
  /** The most that one side may be longer than the other. */
  readonly maxRatio?: number
  readonly minPixels?: number
  readonly maxPixels?: number
}
