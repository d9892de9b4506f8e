import { fact, type Fact, type Idea } from '../fact.ts'
import { at, either, has, pick, contains } from '../look.ts'
import { answer, spoken } from '../wire/build.ts'

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
    responses: has('output.*.content.*.annotations.*', { url }),
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
      responses: 'never',
    }),
    fact('the words it is about', /text/i, {
      chat: at('choices.0.message.content', TEXT),
      messages: has('content.*', { text: TEXT }),
      genai: has(PART, { text: TEXT }),
      responses: has('output.*.content.*', { text: TEXT }),
    }),
  ],
})

const annotated = (text: string, ...citations: readonly object[]) => ({
  ...spoken(),
  content: [
    {
      type: 'output_text',
      text,
      annotations: citations.map((citation) => ({ type: 'url_citation', ...citation })),
      logprobs: [],
    },
  ],
})
/** Sources of an answer. */
export const sources: readonly Idea[] = [
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
      responses: answer.responses({
        output: [annotated(TEXT, { url: URL, title: 'Sky', start_index: 4, end_index: 15 })],
      }),
    },
    facts: [
      cited('its address', URL),
      fact('its title', /citation|annotation|title/i, {
        chat: has('choices.0.message.annotations.*.url_citation', { title: 'Sky' }),
        messages: has('content.*.citations.*', { title: 'Sky' }),
        genai: has('candidates.0', contains('Sky')),
        responses: has('output.*.content.*.annotations.*', { title: 'Sky' }),
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
      responses: answer.responses({
        output: [annotated('Là: the sky is blue', { url: URL, title: 'Sky', start_index: 4, end_index: 19 })],
      }),
    },
    facts: [
      fact('from where to where, in characters or bytes', /citation|annotation|range/i, {
        chat: has('choices.0.message.annotations.*.url_citation', { start_index: 4, end_index: 19 }),
        messages: 'never',
        genai: has('candidates.0.citationMetadata.citations.*', { startIndex: 5, endIndex: 20 }),
        responses: has('output.*.content.*.annotations.*', { start_index: 4, end_index: 19 }),
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
      responses: answer.responses({
        output: [
          annotated(TEXT, ...[URL, `${URL}/2`].map((url) => ({ url, title: 'Sky', start_index: 0, end_index: 3 }))),
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
        responses: has('output.*.content.*.annotations.*', { start_index: 0, end_index: 15 }),
      }),
      fact('the queries', /ground/i, {
        chat: 'never',
        messages: 'never',
        genai: has('candidates.0.groundingMetadata.webSearchQueries.*', 'why is the sky blue'),
        responses: 'never',
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
        responses: 'never',
      }),
      fact('the date', /date/i, {
        chat: 'never',
        messages: 'never',
        genai: has('candidates.0.citationMetadata.citations.*', { publicationDate: { year: 2024 } }),
        responses: 'never',
      }),
    ],
  },
]
