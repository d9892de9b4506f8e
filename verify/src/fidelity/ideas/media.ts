import { fact, type Idea } from '../fact.ts'
import { at, has } from '../look.ts'
import { show, tune } from '../wire/build.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEA'
const MP4 = 'AAAAIGZ0eXBpc29tAAACAGlzb21pc28y'
const CAT = 'https://example.com/cat.png'
const CLIP = 'https://example.com/clip.mp4'

const CHAT = 'messages.*.content.*'
const GENAI = 'contents.*.parts.*'
const INPUT = 'input.*.content.*'
const WORDS = { type: 'input_text', text: 'Look' }
const LOOK = { type: 'text', text: 'Look' }

const inline = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } })
const base64Image = (media_type: string, data: string) => ({
  type: 'image',
  source: { type: 'base64', media_type, data },
})
const image = (url: string, more: object = {}) => ({ type: 'input_image', image_url: url, ...more })
const linked = (url: string, more: object = {}) => ({ type: 'image_url', image_url: { url, ...more } })

/** Images, audio and video in a question. */
export const media: readonly Idea[] = [
  ...['image/png', 'image/jpeg', 'image/webp'].map((mime): Idea => ({
    name: `an image of ${mime}`,
    in: {
      chat: show.chat(LOOK, linked(`data:${mime};base64,${PNG}`)),
      messages: show.messages(LOOK, base64Image(mime, PNG)),
      genai: show.genai({ text: 'Look' }, inline(mime, PNG)),
      responses: show.responses(WORDS, image(`data:${mime};base64,${PNG}`)),
    },
    facts: [
      fact('its bytes and type', /image|media|inline/i, {
        chat: has(CHAT, linked(`data:${mime};base64,${PNG}`)),
        messages: has(CHAT, base64Image(mime, PNG)),
        genai: has(GENAI, inline(mime, PNG)),
        responses: has(INPUT, image(`data:${mime};base64,${PNG}`)),
      }),
      fact('the words beside it', /text/i, {
        chat: has(CHAT, LOOK),
        messages: has(CHAT, LOOK),
        genai: has(GENAI, { text: 'Look' }),
        responses: has(INPUT, WORDS),
      }),
    ],
  })),
  {
    name: 'a GIF, which genai does not take',
    in: {
      chat: show.chat(LOOK, linked(`data:image/gif;base64,${PNG}`)),
      messages: show.messages(LOOK, base64Image('image/gif', PNG)),
      responses: show.responses(WORDS, image(`data:image/gif;base64,${PNG}`)),
    },
    facts: [
      fact('its bytes and type', /image|media|gif|parts/i, {
        chat: has(CHAT, linked(`data:image/gif;base64,${PNG}`)),
        messages: has(CHAT, base64Image('image/gif', PNG)),
        genai: 'never',
        responses: has(INPUT, image(`data:image/gif;base64,${PNG}`)),
      }),
    ],
  },
  {
    name: 'an image by its address',
    in: {
      chat: show.chat(LOOK, linked(CAT)),
      messages: show.messages(LOOK, { type: 'image', source: { type: 'url', url: CAT } }),
      genai: show.genai({ text: 'Look' }, { fileData: { mimeType: 'image/png', fileUri: CAT } }),
      responses: show.responses(WORDS, image(CAT)),
    },
    facts: [
      fact('the address', /image|media|url/i, {
        chat: has(CHAT, linked(CAT)),
        messages: has(CHAT, { type: 'image', source: { type: 'url', url: CAT } }),
        genai: has(GENAI, { fileData: { fileUri: CAT } }),
        responses: has(INPUT, image(CAT)),
      }),
    ],
  },
  ...(['low', 'high'] as const).map((detail): Idea => ({
    name: `an image to be looked at in ${detail} detail`,
    in: {
      chat: show.chat(linked(CAT, { detail })),
      genai: show.genai({
        fileData: { mimeType: 'image/png', fileUri: CAT },
        mediaResolution: { level: `MEDIA_RESOLUTION_${detail.toUpperCase()}` },
      }),
      responses: show.responses(image(CAT, { detail })),
    },
    facts: [
      fact('the detail', /detail|resolution/i, {
        chat: has(CHAT, linked(CAT, { detail })),
        messages: 'never',
        genai: has(GENAI, { mediaResolution: { level: `MEDIA_RESOLUTION_${detail.toUpperCase()}` } }),
        responses: has(INPUT, image(CAT, { detail })),
      }),
    ],
  })),
  {
    name: 'images between words',
    in: {
      chat: show.chat({ type: 'text', text: 'a' }, linked(CAT), { type: 'text', text: 'b' }),
      messages: show.messages(
        { type: 'text', text: 'a' },
        { type: 'image', source: { type: 'url', url: CAT } },
        { type: 'text', text: 'b' },
      ),
      genai: show.genai({ text: 'a' }, { fileData: { mimeType: 'image/png', fileUri: CAT } }, { text: 'b' }),
      responses: show.responses({ type: 'input_text', text: 'a' }, image(CAT), { type: 'input_text', text: 'b' }),
    },
    facts: [
      fact('their order', /order|moved/i, {
        chat: at('messages.0.content', [{ text: 'a' }, { type: 'image_url' }, { text: 'b' }]),
        messages: at('messages.0.content', [{ text: 'a' }, { type: 'image' }, { text: 'b' }]),
        genai: at('contents.0.parts', [{ text: 'a' }, { fileData: {} }, { text: 'b' }]),
        responses: at('input.0.content', [{ text: 'a' }, { type: 'input_image' }, { text: 'b' }]),
      }),
    ],
  },
  {
    name: 'sound',
    in: {
      chat: show.chat(LOOK, { type: 'input_audio', input_audio: { data: WAV, format: 'wav' } }),
      genai: show.genai({ text: 'Look' }, inline('audio/wav', WAV)),
    },
    facts: [
      fact('its bytes and type', /audio/i, {
        chat: has(CHAT, { type: 'input_audio', input_audio: { data: WAV, format: 'wav' } }),
        messages: 'never',
        genai: has(GENAI, inline('audio/wav', WAV)),
        responses: { perhaps: has(INPUT, { type: 'input_audio', input_audio: { data: WAV, format: 'wav' } }) },
      }),
    ],
  },
  {
    name: 'sound as MP3',
    in: {
      chat: show.chat(LOOK, { type: 'input_audio', input_audio: { data: WAV, format: 'mp3' } }),
      genai: show.genai({ text: 'Look' }, inline('audio/mp3', WAV)),
    },
    facts: [
      fact('its bytes and type', /audio/i, {
        chat: has(CHAT, { type: 'input_audio', input_audio: { data: WAV, format: 'mp3' } }),
        messages: 'never',
        genai: has(GENAI, { inlineData: { mimeType: /^audio\/(mp3|mpeg)$/, data: WAV } }),
        responses: { perhaps: has(INPUT, { type: 'input_audio', input_audio: { data: WAV, format: 'mp3' } }) },
      }),
    ],
  },
  {
    name: 'video',
    in: { genai: show.genai({ text: 'Look' }, inline('video/mp4', MP4)) },
    facts: [
      fact('its bytes', /video/i, {
        chat: 'never',
        messages: 'never',
        genai: has(GENAI, inline('video/mp4', MP4)),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'a stretch of a video by its address',
    in: {
      genai: show.genai(
        { text: 'Look' },
        {
          fileData: { mimeType: 'video/mp4', fileUri: CLIP },
          videoMetadata: { startOffset: '10s', endOffset: '20s', fps: 2 },
        },
      ),
    },
    facts: [
      fact('the address', /video/i, {
        chat: 'never',
        messages: 'never',
        genai: has(GENAI, { fileData: { fileUri: CLIP } }),
        responses: 'never',
      }),
      fact('the stretch', /video/i, {
        chat: 'never',
        messages: 'never',
        genai: has(GENAI, { videoMetadata: { startOffset: '10s', endOffset: '20s', fps: 2 } }),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'a file in a bucket',
    in: {
      genai: show.genai({ text: 'Look' }, { fileData: { mimeType: 'image/png', fileUri: 'gs://bucket/cat.png' } }),
    },
    facts: [
      fact('the file', /image|file|media/i, {
        chat: 'never',
        messages: 'never',
        genai: has(GENAI, { fileData: { fileUri: 'gs://bucket/cat.png' } }),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'how closely to look at all media',
    in: { genai: tune({ mediaResolution: 'MEDIA_RESOLUTION_LOW' }) },
    facts: [
      fact('the resolution', /mediaResolution/i, {
        chat: 'never',
        messages: 'never',
        genai: at('generationConfig.mediaResolution', 'MEDIA_RESOLUTION_LOW'),
        responses: 'never',
      }),
    ],
  },
]
