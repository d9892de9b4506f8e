import { createWords } from '../../lib/grammar/members.ts'
import type { JsonObject } from '../../lib/json.ts'
import { createNameMap } from '../../lib/names.ts'
import { readAnswer, readRequest } from '../read-body.ts'
import { createLocate } from '../locate.ts'
import type { Codec } from '../protocol.ts'
import { refuseUnplaced } from './media.ts'
import { checkRequest, spellRequest } from './check.ts'
import { decodeStream } from './decode-stream.ts'
import { ARRAY, encodeStream } from './encode-stream.ts'
import { decodeError, encodeError } from './error.ts'
import { sites } from './locate.ts'
import { decodeRequest, encodeRequest } from './request.ts'
import { decodeResponse, encodeResponse } from './response.ts'
import type { GenaiResponse } from './answer-schema.ts'
import { ISSUER, NAME, type GenaiRequest, genaiRequest } from './schema.ts'
import { answerTerms } from './tier.ts'

/** Members that the grammar of requests has only as types. */
const UNREAD =
  'audioTranscription audioTranscriptionConfig behavior consentAudio continuationToken enableEnhancedCivicAnswers exaAiSearch id imageOutputOptions includeServerSideToolInvocations mcpServers mediaProcessing modelArmorConfig outputConfig parallelAiSearch partMetadata prominentPeople response responseFormat scheduling speaker speechMetadata store toolCall toolResponse translationConfig voice voiceConsentSignature'

/** The generate content protocol: `:generateContent` and `:streamGenerateContent`. */
export const genai: Codec<GenaiRequest, GenaiResponse> = {
  name: NAME,
  issuer: ISSUER,
  request: {
    check: (body) => checkRequest(body) as JsonObject & GenaiRequest, // it has passed
    decode: (body, context) =>
      readRequest(body, checkRequest, () => decodeRequest(spellRequest(body) as GenaiRequest, context)), // checked at the edge
    encode: (request, context) => encodeRequest(request, context) as JsonObject & GenaiRequest, // JSON by construction
    sites,
    refuse: (request, losses, body) => refuseUnplaced(request, losses, createLocate(sites, body)),
    names: (used) => createNameMap(used, /^[a-zA-Z_][a-zA-Z0-9_.-]*$/, 64),
    showsReasoning: false,
    words: createWords(genaiRequest, UNREAD),
    history: 'contents',
    refused: {},
  },
  response: {
    decode: (body, context) => readAnswer(() => decodeResponse(body as GenaiResponse, context)), // read leniently
    encode: (response, context) => encodeResponse(response, context) as JsonObject & GenaiResponse, // JSON by construction
    terms: answerTerms,
  },
  stream: {
    decode: decodeStream,
    encode: encodeStream,
    // An empty frame: the Go SDK ends the stream with an error at a comment or a single line feed.
    keepAlive: (framing) => (framing === ARRAY ? '\n' : '\n\n'),
    contentType: (framing) =>
      framing === ARRAY ? 'application/json; charset=utf-8' : 'text/event-stream; charset=utf-8',
  },
  error: { decode: decodeError, encode: encodeError },
  dialects: [],
  extensions: ['displayName', 'embedding', 'resultMedia', 'schema', 'signatures', 'thinking'],
}
