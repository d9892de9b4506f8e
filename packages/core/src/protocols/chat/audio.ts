import { keep, keptWord, known, restore, unknownOf } from '../../ir/extras.ts'
import type { Losses } from '../../ir/loss.ts'
import type { Media } from '../../ir/part.ts'
import { joinBase64, standardBase64 } from '../../lib/base64.ts'
import { defined, createMemberBuffer } from '../../lib/members.ts'
import { objectOf, stringOf } from '../../lib/json.ts'
import { createTextBuffer } from '../../lib/streamed-text.ts'
import { reportUnsupported } from '../member-tables.ts'
import type { Encoding } from '../context.ts'
import { answerAudio, type WireAudio } from './answer-schema.ts'
import { FORMS } from './members.ts'
import { NAME } from './schema.ts'

/** Ids of audio that was not made by a chat upstream. Nothing is stored under them. */
const MADE = 'dg_audio_'

/** Audio that a model answered with. Undefined if there is none: a history can have its id alone, which stays an extra. */
export function decodeAudio(wire: WireAudio | null | undefined): Media | undefined {
  const { id, data: given, transcript } = objectOf(wire)
  const data = standardBase64(stringOf(given))
  if (wire == null || data === '') return undefined
  const spoken = stringOf(transcript)
  const source = { kind: 'base64' as const, mime: typeOf(data), data }
  const part = defined({ type: 'media' as const, kind: 'audio' as const, source, transcript: spoken || undefined })
  return keep(part, NAME, unknownOf(wire, stringOf(id).startsWith(MADE) ? MADE_AUDIO : AUDIO))
}

const AUDIO = known(answerAudio, { unread: ['id', 'expires_at'] })
const MADE_AUDIO = known(answerAudio)

/** OpenAI's raw samples, in the words of Gemini, whose raw samples are of the same kind. */
const SAMPLES = 'audio/L16;codec=pcm;rate=24000'

/** By the first bytes: chat does not name the type of its audio. */
function typeOf(base64: string): string {
  return TYPES.find(([start]) => start.test(base64))?.[1] ?? SAMPLES
}

const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^UklGR/, 'audio/wav'],
  [/^(SUQz|\/\/[I-Po-v])/, 'audio/mpeg'],
  [/^T2dnU/, 'audio/ogg'],
  [/^ZkxhQ/, 'audio/flac'],
  [/^\/\/[E-Hk-n]/, 'audio/aac'],
]

/** Writes the audio of one answer in pieces. */
export interface AudioWriter {
  /** Undefined if chat has no equivalent for the part. */
  readonly piece: (part: Media, losses: Losses) => WireAudio | undefined
  readonly end: () => WireAudio
}

/** Chat has one audio: raw samples that come in several parts are joined. Upstreams take back only what they have made. */
export function createAudioWriter(context: Encoding): AudioWriter {
  let first: { readonly mime: string; readonly type: string } | undefined
  let held = '' // clients join pieces as text, so that only the last one may be padded
  let made: WireAudio = {}
  return {
    piece(part, losses) {
      const { source, kind, transcript } = part
      if (kind !== 'audio' || source.kind !== 'base64') return undefined
      const own = keptWord(part, NAME, 'id')
      const fits =
        first === undefined ? own !== undefined || context.toward === 'client' : joins(first.mime, source.mime)
      if (!fits) return undefined
      const head = first === undefined ? restore(NAME, part, {}) : {}
      reportUnsupported(part, first === undefined ? FORMS.answerAudio : FORMS.moreAudio, losses, context)
      if (first === undefined && own === undefined) made = { id: MADE + context.id(), expires_at: context.now }
      first ??= { mime: source.mime, type: typeOf(source.data) }
      if (first.type !== source.mime) losses.changed(['source', 'mime'], first.type, 'chat names no type of its audio')
      const data = held === '' ? source.data : joinBase64([held, source.data])
      const end = data.endsWith('=') ? data.length - 4 : data.length
      held = data.slice(end)
      return defined({ id: made.id ?? own, data: data.slice(0, end), transcript }, head)
    },
    end: () => defined({ data: held === '' ? undefined : held, expires_at: made.expires_at }),
  }
}

function joins(mime: string, other: string): boolean {
  return mime === other && /^audio\/(l16|pcm)/i.test(mime)
}

/** Audio that arrives in pieces. */
export interface AudioReader {
  readonly add: (piece: WireAudio) => void
  /** Everything that has arrived; undefined if nothing has. */
  readonly audio: () => WireAudio | undefined
}

export function createAudioReader(): AudioReader {
  const members = createMemberBuffer()
  const transcript = createTextBuffer()
  const pieces: string[] = []
  return {
    add({ data, transcript: spoken, ...rest }) {
      members.add(rest)
      if (stringOf(data) !== '') pieces.push(stringOf(data))
      transcript.add(stringOf(spoken))
    },
    audio() {
      const all = members.object()
      const spoken = transcript.text()
      if (pieces.length === 0) return all && defined({ transcript: spoken || undefined }, all)
      return { ...all, data: joinBase64(pieces), transcript: spoken }
    },
  }
}
