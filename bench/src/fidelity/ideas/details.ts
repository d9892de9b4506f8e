import { fact, type Fact, type Idea } from '../fact.ts'
import { isObject, type JsonValue } from '../json.ts'
import { at, either, has, pick, contains } from '../look.ts'
import { answer } from '../wire/build.ts'

const URL = 'https://example.com/sky'
const TEXT = 'The sky is blue, they say.'
const PART = 'candidates.0.content.parts.*'

const messagesCitation = (citation: object) => ({ content: [{ type: 'text', text: TEXT, citations: [citation] }] })

/** A web source, in the citation of each protocol. */
const cited = (name: string, url: string): Fact =>
  fact(name, /citation|annotation|ground/i, {
    chat: has('choices.0.message.annotations.*.url_citation', { url }),
    messages: has('content.*.citations.*', { url }),
    genai: (body) => {
      const sources = [
        ...pick(body, 'candidates.0.citationMetadata.citations.*.uri'),
        ...pick(body, 'candidates.0.groundingMetadata.groundingChunks.*.web.uri'),
      ]
      return sources.includes(url) ? 'kept' : 'gone'
    },
  })

/** A citation of a document in the request: the cited text, and its position. */
const quoted = (name: string, citation: object): Idea => ({
  name,
  in: {
    messages: answer.messages(
      messagesCitation({ cited_text: 'blue', document_index: 0, document_title: 'Colours', ...citation }),
    ),
  },
  facts: [
    fact('the citation', /citation/i, {
      chat: 'never',
      messages: has('content.*.citations.*', citation),
      genai: 'never',
    }),
    fact('the words it is about', /text/i, {
      chat: at('choices.0.message.content', TEXT),
      messages: has('content.*', { text: TEXT }),
      genai: has(PART, { text: TEXT }),
    }),
  ],
})

const token = (text: string, logprob: number) => ({ token: text, logprob })

/** Sources, probabilities, ratings. */
export const details: readonly Idea[] = [
  {
    name: 'a source on the web',
    in: {
      chat: answer.chat({
        message: {
          content: TEXT,
          annotations: [
            { type: 'url_citation', url_citation: { url: URL, title: 'Sky', start_index: 4, end_index: 15 } },
          ],
        },
      }),
      messages: answer.messages(
        messagesCitation({
          type: 'web_search_result_location',
          cited_text: 'sky is blue',
          url: URL,
          title: 'Sky',
          encrypted_index: 'Eo8BCioI',
        }),
      ),
      genai: answer.genai({
        parts: [{ text: TEXT }],
        candidate: { citationMetadata: { citations: [{ startIndex: 4, endIndex: 15, uri: URL, title: 'Sky' }] } },
      }),
    },
    facts: [
      cited('its address', URL),
      fact('its title', /citation|annotation|title/i, {
        chat: has('choices.0.message.annotations.*.url_citation', { title: 'Sky' }),
        messages: has('content.*.citations.*', { title: 'Sky' }),
        genai: has('candidates.0', contains('Sky')),
      }),
    ],
  },
  {
    name: 'where in the words',
    in: {
      chat: answer.chat({
        message: {
          content: 'Là: the sky is blue',
          annotations: [
            { type: 'url_citation', url_citation: { url: URL, title: 'Sky', start_index: 4, end_index: 19 } },
          ],
        },
      }),
      genai: answer.genai({
        parts: [{ text: 'Là: the sky is blue' }],
        candidate: { citationMetadata: { citations: [{ startIndex: 5, endIndex: 20, uri: URL, title: 'Sky' }] } },
      }),
    },
    facts: [
      fact('from where to where, in characters or bytes', /citation|annotation|range/i, {
        chat: has('choices.0.message.annotations.*.url_citation', { start_index: 4, end_index: 19 }),
        messages: 'never',
        genai: has('candidates.0.citationMetadata.citations.*', { startIndex: 5, endIndex: 20 }),
      }),
    ],
  },
  {
    name: 'two sources',
    in: {
      chat: answer.chat({
        message: {
          content: TEXT,
          annotations: [URL, `${URL}/2`].map((url) => ({
            type: 'url_citation',
            url_citation: { url, title: 'Sky', start_index: 0, end_index: 3 },
          })),
        },
      }),
      messages: answer.messages({
        content: [
          {
            type: 'text',
            text: TEXT,
            citations: [URL, `${URL}/2`].map((url) => ({
              type: 'web_search_result_location',
              cited_text: 'The',
              url,
              title: 'Sky',
              encrypted_index: 'Eo8BCioI',
            })),
          },
        ],
      }),
    },
    facts: [cited('the first', URL), cited('the second', `${URL}/2`)],
  },
  quoted('a citation of characters', { type: 'char_location', start_char_index: 3, end_char_index: 7 }),
  quoted('a citation of pages', { type: 'page_location', start_page_number: 1, end_page_number: 2 }),
  quoted('a citation of blocks', { type: 'content_block_location', start_block_index: 0, end_block_index: 1 }),
  {
    name: 'grounding of genai',
    in: {
      genai: answer.genai({
        parts: [{ text: TEXT }],
        candidate: {
          groundingMetadata: {
            webSearchQueries: ['why is the sky blue'],
            groundingChunks: [{ web: { uri: URL, title: 'Sky' } }],
            groundingSupports: [{ segment: { startIndex: 0, endIndex: 15 }, groundingChunkIndices: [0] }],
          },
        },
      }),
    },
    facts: [
      cited('the source', URL),
      fact('the words that it supports', /ground|citation|range/i, {
        chat: has('choices.0.message.annotations.*.url_citation', { start_index: 0, end_index: 15 }),
        messages: 'never',
        genai: either(
          has('candidates.0.groundingMetadata.groundingSupports.*.segment', { endIndex: 15 }),
          has('candidates.0.citationMetadata.citations.*', { endIndex: 15 }),
        ),
      }),
      fact('the queries', /ground/i, {
        chat: 'never',
        messages: 'never',
        genai: has('candidates.0.groundingMetadata.webSearchQueries.*', 'why is the sky blue'),
      }),
    ],
  },
  {
    name: 'licence and date of a source',
    in: {
      genai: answer.genai({
        parts: [{ text: TEXT }],
        candidate: {
          citationMetadata: {
            citations: [{ startIndex: 0, endIndex: 15, uri: URL, license: 'mit', publicationDate: { year: 2024 } }],
          },
        },
      }),
    },
    facts: [
      cited('its address', URL),
      fact('the licence', /licen[sc]e/i, {
        chat: 'never',
        messages: 'never',
        genai: has('candidates.0.citationMetadata.citations.*', { license: 'mit' }),
      }),
      fact('the date', /date/i, {
        chat: 'never',
        messages: 'never',
        genai: has('candidates.0.citationMetadata.citations.*', { publicationDate: { year: 2024 } }),
      }),
    ],
  },
  {
    name: 'log probabilities',
    in: {
      chat: answer.chat({
        choice: {
          logprobs: {
            content: [
              { ...token('Good', -0.1), bytes: null, top_logprobs: [token('Good', -0.1), token('Bad', -2)] },
              { ...token(' day', -0.5), bytes: null, top_logprobs: [token(' day', -0.5)] },
            ],
            refusal: null,
          },
        },
      }),
      genai: answer.genai({
        candidate: {
          avgLogprobs: -0.3,
          logprobsResult: {
            chosenCandidates: [
              { token: 'Good', logProbability: -0.1 },
              { token: ' day', logProbability: -0.5 },
            ],
            topCandidates: [
              {
                candidates: [
                  { token: 'Good', logProbability: -0.1 },
                  { token: 'Bad', logProbability: -2 },
                ],
              },
              { candidates: [{ token: ' day', logProbability: -0.5 }] },
            ],
          },
        },
      }),
    },
    facts: [
      fact('of the tokens', /log_?prob/i, {
        chat: at('choices.0.logprobs.content.1', token(' day', -0.5)),
        messages: 'never',
        genai: at('candidates.0.logprobsResult.chosenCandidates.1', { token: ' day', logProbability: -0.5 }),
      }),
      fact('of the alternatives', /log_?prob/i, {
        chat: has('choices.0.logprobs.content.0.top_logprobs.*', token('Bad', -2)),
        messages: 'never',
        genai: has('candidates.0.logprobsResult.topCandidates.0.candidates.*', { token: 'Bad', logProbability: -2 }),
      }),
    ],
  },
  {
    name: 'safety ratings',
    in: {
      genai: answer.genai({
        candidate: { safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW' }] },
      }),
    },
    facts: [
      fact('the ratings', /safety/i, {
        chat: 'never',
        messages: 'never',
        genai: has('candidates.0.safetyRatings.*', { probability: 'LOW' }),
      }),
    ],
  },
  {
    name: 'what nobody knows',
    in: {
      chat: answer.chat({ body: { sparkle: { level: 3 } } }),
      messages: answer.messages({ body: { sparkle: { level: 3 } } }),
      genai: answer.genai({ body: { sparkle: { level: 3 } } }),
    },
    facts: [
      fact('it', /sparkle|extras/i, {
        chat: { perhaps: at('sparkle', { level: 3 }) },
        messages: { perhaps: at('sparkle', { level: 3 }) },
        genai: { perhaps: at('sparkle', { level: 3 }) },
      }),
    ],
  },
  {
    name: 'a kind of block that nobody knows',
    in: {
      messages: answer.messages({
        content: [
          { type: 'text', text: TEXT },
          { type: 'hologram', shape: 'cube' },
        ],
      }),
      genai: answer.genai({ parts: [{ text: TEXT }, { hologram: { shape: 'cube' } }] }),
    },
    facts: [
      fact('it', /hologram|opaque|kind|block|part/i, {
        chat: { perhaps: has('choices.0.message', contains('cube')) },
        messages: { perhaps: has('content.*', (block: JsonValue) => isObject(block) && block['type'] === 'hologram') },
        genai: { perhaps: has(PART, { hologram: {} }) },
      }),
    ],
  },
]
