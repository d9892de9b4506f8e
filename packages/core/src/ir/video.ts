import type { ErrorKind } from './error.ts'
import type { Node } from './extras.ts'
import type { Source } from './part.ts'

/** A request for videos: from a text, from a first frame, or a transition between two frames. */
export interface VideoRequest extends Node {
  readonly model: string
  /** Absent only if there is a first frame. */
  readonly prompt?: string
  /** The first frame. */
  readonly image?: VideoFrame
  /** The last frame: with a first one, the video is the transition between them. */
  readonly lastFrame?: VideoFrame
  /** Images that the video follows, beside its frames. */
  readonly references?: readonly VideoReference[]
  readonly settings: VideoSettings
  /** The end user, as an opaque identifier: upstreams use it to detect abuse. */
  readonly user?: string
}

/** An image that is a frame of the video. */
export interface VideoFrame extends Node {
  readonly source: Source
}

/** An image that the video follows. */
export interface VideoReference extends VideoFrame {
  /** What it shows: `asset` (a thing, a person) or `style`; by default an asset. */
  readonly role?: string
}

/** The requested properties of the videos. */
export interface VideoSettings {
  readonly count?: number
  /** `<width>:<height>`. */
  readonly aspectRatio?: string
  /** 720p, 1080p, 4k. */
  readonly resolution?: string
  readonly seconds?: number
  /** Whether there is a sound track. */
  readonly audio?: boolean
  readonly negativePrompt?: string
  /** Whether the prompt is refined before it is used. */
  readonly enhance?: boolean
  /** Whether people may be shown: dont_allow, allow_adult, allow_all. */
  readonly people?: string
  readonly seed?: number
  /** Frames per second. */
  readonly fps?: number
}

/** The state of videos that are being generated. */
export interface VideoOperation extends Node {
  /** How the caller asks for the state. */
  readonly name: string
  readonly state: VideoState
}

/** What is known about the videos of a request. A video that was blocked is not a failure. */
export type VideoState =
  | { readonly status: 'running' }
  | {
      readonly status: 'done'
      readonly videos: readonly GeneratedVideo[]
      readonly blocked?: BlockedVideos
    }
  | { readonly status: 'failed'; readonly error: VideoFailure }

/** A finished video. */
export interface GeneratedVideo extends Node {
  /** Absent if only the `open` of its driver can open it. */
  readonly source?: Source
  /** Only the upstream's credential opens the URL: the gateway serves the file itself. */
  readonly private?: true
}

/** Videos that the moderation of the upstream has blocked. */
export interface BlockedVideos {
  readonly count: number
  readonly reasons: readonly string[]
}

/** Why there are no videos. A DragomanError is one. */
export interface VideoFailure extends Node {
  readonly kind: ErrorKind
  readonly message: string
}

/** What videos a model can generate, as its card says. A card with these facts serves videos. */
export interface VideoFacts {
  /** The most videos of a request; by default 1. */
  readonly most?: number
  /** The aspect ratios that can be asked for, the default first; absent if any. */
  readonly ratios?: readonly string[]
  /** The resolutions that can be asked for, the default first; absent if the resolution cannot be chosen. */
  readonly resolutions?: readonly string[]
  /** The lengths that can be asked for; absent if any. */
  readonly seconds?: readonly number[] | NumberRange
  /** Lengths that are possible only in some resolutions: `{ '1080p': [8] }`. */
  readonly secondsAt?: { readonly [resolution: string]: readonly number[] | NumberRange }
  /** The lengths that are possible together with images that the video follows. */
  readonly secondsWithReferences?: readonly number[] | NumberRange
  /** The length of a video if the request has none. It is also billed for this length. */
  readonly defaultSeconds?: number
  /** Whether videos have a sound track: always, never, or as the request says, by default with one or without. By default never. */
  readonly audio?: 'always' | 'never' | 'on' | 'off'
  /** The frames that can be given; by default none. The last one needs the first. */
  readonly frames?: readonly ('first' | 'last')[]
  /** The most images that a video can follow; by default 0. */
  readonly references?: number
  /** Whether people may be shown: the values that can be asked for. */
  readonly people?: readonly string[]
  /** The frame rates that can be asked for. */
  readonly fps?: readonly number[] | NumberRange
  /** The settings that it takes, beside those above. Others are left out and reported. */
  readonly takes?: readonly VideoOption[]
  /** The settings that are refused instead. */
  readonly refuses?: readonly (keyof VideoSettings)[]
}

/** The settings that some models take and others do not. */
export type VideoOption = 'negativePrompt' | 'enhance' | 'seed' | 'user'

/** All whole numbers between two, both included. */
export interface NumberRange {
  readonly min: number
  readonly max: number
}
