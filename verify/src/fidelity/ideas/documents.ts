import { fact, type Idea } from '../fact.ts'
import { either, has, contains } from '../look.ts'
import { show } from '../wire/build.ts'

const PDF = 'JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBv'
const REPORT = 'https://example.com/report.pdf'
const WORDS = 'Sales rose by a third.'
const BASE64 = Buffer.from(WORDS).toString('base64')

const BLOCK = 'messages.*.content.*'
const PART = 'contents.*.parts.*'
const INPUT = 'input.*.content.*'
const WORDED = { type: 'input_text', text: 'Read' }
const READ = { type: 'text', text: 'Read' }

const file = (more: object) => ({ type: 'file', file: more })
const document = (source: object, more: object = {}) => ({ type: 'document', source, ...more })
const pdf = { type: 'base64', media_type: 'application/pdf', data: PDF }
const written = { type: 'text', media_type: 'text/plain', data: WORDS }
const inline = { inlineData: { mimeType: 'application/pdf', data: PDF } }
const DATA = `data:application/pdf;base64,${PDF}`

/** Documents from every kind of source. */
export const documents: readonly Idea[] = [
  {
    name: 'a PDF',
    in: {
      chat: show.chat(READ, file({ file_data: DATA })),
      messages: show.messages(READ, document(pdf)),
      genai: show.genai({ text: 'Read' }, inline),
      responses: show.responses(WORDED, { type: 'input_file', file_data: DATA }),
    },
    facts: [
      fact('its bytes and type', /document|file|media/i, {
        chat: has(BLOCK, file({ file_data: DATA })),
        messages: has(BLOCK, document(pdf)),
        genai: has(PART, inline),
        responses: has(INPUT, { type: 'input_file', file_data: DATA }),
      }),
    ],
  },
  {
    name: 'a PDF with a name',
    in: {
      chat: show.chat(READ, file({ file_data: DATA, filename: 'report.pdf' })),
      messages: show.messages(READ, document(pdf, { title: 'report.pdf' })),
      responses: show.responses(WORDED, { type: 'input_file', file_data: DATA, filename: 'report.pdf' }),
    },
    facts: [
      fact('the name', /title|file_?name|display_?name/i, {
        chat: has(BLOCK, file({ filename: 'report.pdf' })),
        messages: has(BLOCK, { type: 'document', title: 'report.pdf' }),
        // The name of inline data occurs in responses and at some upstreams.
        genai: { perhaps: has(PART, { inlineData: { displayName: 'report.pdf' } }) },
        responses: has(INPUT, { type: 'input_file', filename: 'report.pdf' }),
      }),
    ],
  },
  {
    name: 'a PDF by its address',
    in: {
      messages: show.messages(READ, document({ type: 'url', url: REPORT })),
      genai: show.genai({ text: 'Read' }, { fileData: { mimeType: 'application/pdf', fileUri: REPORT } }),
      responses: show.responses(WORDED, { type: 'input_file', file_url: REPORT }),
    },
    facts: [
      fact('the address', /document|url|file/i, {
        chat: 'never',
        messages: has(BLOCK, document({ type: 'url', url: REPORT })),
        genai: has(PART, { fileData: { fileUri: REPORT } }),
        responses: has(INPUT, { type: 'input_file', file_url: REPORT }),
      }),
    ],
  },
  {
    name: 'a text as a document',
    in: {
      messages: show.messages(READ, document(written)),
      genai: show.genai({ text: 'Read' }, { inlineData: { mimeType: 'text/plain', data: BASE64 } }),
    },
    facts: [
      fact('its words', /document|text/i, {
        chat: either(
          has(BLOCK, { type: 'text', text: contains(WORDS) }),
          has(BLOCK, file({ file_data: `data:text/plain;base64,${BASE64}` })),
        ),
        messages: either(has(BLOCK, document(written)), has(BLOCK, { type: 'text', text: contains(WORDS) })),
        genai: either(
          has(PART, { inlineData: { mimeType: 'text/plain', data: BASE64 } }),
          has(PART, { text: contains(WORDS) }),
        ),
        responses: either(
          has(INPUT, contains(WORDS)),
          has(INPUT, { type: 'input_file', file_data: `data:text/plain;base64,${BASE64}` }),
        ),
      }),
    ],
  },
  {
    name: 'a text with title, context and leave to cite it',
    in: {
      messages: show.messages(
        READ,
        document(written, { title: 'Quarter', context: 'From the board.', citations: { enabled: true } }),
      ),
    },
    facts: [
      fact('the title', /title|document/i, {
        chat: { perhaps: has(BLOCK, contains('Quarter')) },
        messages: has(BLOCK, { title: 'Quarter' }),
        genai: { perhaps: has(PART, contains('Quarter')) },
        responses: { perhaps: has(INPUT, contains('Quarter')) },
      }),
      fact('the context', /context|document|chat takes/i, {
        chat: { perhaps: has(BLOCK, contains('From the board.')) },
        messages: has(BLOCK, { context: 'From the board.' }),
        genai: { perhaps: has(PART, contains('From the board.')) },
        responses: { perhaps: has(INPUT, contains('From the board.')) },
      }),
      fact('the leave to cite', /cit(e|ation)|document/i, {
        chat: 'never',
        messages: has(BLOCK, { citations: { enabled: true } }),
        genai: 'never',
        responses: 'never',
      }),
    ],
  },
  {
    name: 'a PDF with context and leave to cite it',
    in: {
      messages: show.messages(READ, document(pdf, { context: 'From the board.', citations: { enabled: true } })),
    },
    facts: [
      fact('the context', /context/i, {
        chat: 'never',
        messages: has(BLOCK, { context: 'From the board.' }),
        genai: 'never',
        responses: 'never',
      }),
      fact('the leave to cite', /cit(e|ation)/i, {
        chat: 'never',
        messages: has(BLOCK, { citations: { enabled: true } }),
        genai: 'never',
        responses: 'never',
      }),
    ],
  },
  {
    name: 'a document of blocks',
    in: {
      messages: show.messages(
        READ,
        document({
          type: 'content',
          content: [
            { type: 'text', text: 'Part one.' },
            { type: 'text', text: 'Part two.' },
          ],
        }),
      ),
    },
    facts: [
      fact('the words of all blocks', /document|parts|source/i, {
        chat: has(BLOCK, contains('Part one.'), contains('Part two.')),
        messages: has(BLOCK, contains('Part one.')),
        genai: either(
          has(PART, { text: contains('Part two.') }),
          has(PART, {
            inlineData: {
              mimeType: 'text/plain',
              data: (data: unknown) => Buffer.from(String(data), 'base64').includes('Part two.'),
            },
          }),
        ),
        responses: has(INPUT, contains('Part one.'), contains('Part two.')),
      }),
      fact('that they are blocks', /document|parts|source/i, {
        chat: 'never',
        messages: has(BLOCK, { type: 'document', source: { type: 'content' } }),
        genai: 'never',
        responses: 'never',
      }),
    ],
  },
  {
    name: 'a document of one string',
    in: { messages: show.messages(READ, document({ type: 'content', content: WORDS })) },
    facts: [
      fact('its words', /document|parts|source/i, {
        chat: has(BLOCK, contains(WORDS)),
        messages: has(BLOCK, contains(WORDS)),
        genai: either(
          has(PART, { inlineData: { mimeType: 'text/plain', data: BASE64 } }),
          has(PART, { text: contains(WORDS) }),
        ),
        responses: either(
          has(INPUT, contains(WORDS)),
          has(INPUT, { type: 'input_file', file_data: `data:text/plain;base64,${BASE64}` }),
        ),
      }),
    ],
  },
  {
    name: 'a file that the issuer keeps',
    in: {
      chat: show.chat(READ, file({ file_id: 'file-1' })),
      responses: show.responses(WORDED, { type: 'input_file', file_id: 'file-1' }),
    },
    facts: [
      fact('which file', /file|document/i, {
        chat: has(BLOCK, file({ file_id: 'file-1' })),
        messages: 'never',
        genai: 'never',
        responses: has(INPUT, { type: 'input_file', file_id: 'file-1' }),
      }),
    ],
  },
  {
    name: 'a document that the issuer keeps',
    in: { messages: show.messages(READ, document({ type: 'file', file_id: 'file_011' })) },
    facts: [
      fact('which file', /file|document/i, {
        chat: 'never',
        messages: has(BLOCK, document({ type: 'file', file_id: 'file_011' })),
        genai: 'never',
        responses: 'never',
      }),
    ],
  },
  {
    name: 'a search result to cite',
    in: {
      messages: show.messages(READ, {
        type: 'search_result',
        source: 'https://example.com/a',
        title: 'A page',
        content: [{ type: 'text', text: WORDS }],
        citations: { enabled: true },
      }),
    },
    facts: [
      fact('its words', /search/i, {
        chat: { nearly: has(BLOCK, contains(WORDS)) },
        messages: has(BLOCK, { type: 'search_result', content: [{ text: WORDS }] }),
        genai: { nearly: has(PART, contains(WORDS)) },
        responses: { nearly: has(INPUT, contains(WORDS)) },
      }),
      fact('where it is from', /search/i, {
        chat: { perhaps: has(BLOCK, contains('https://example.com/a')) },
        messages: has(BLOCK, { source: 'https://example.com/a', title: 'A page' }),
        genai: { perhaps: has(PART, contains('https://example.com/a')) },
        responses: { perhaps: has(INPUT, contains('https://example.com/a')) },
      }),
      fact('the leave to cite', /search|cit(e|ation)/i, {
        chat: 'never',
        messages: has(BLOCK, { citations: { enabled: true } }),
        genai: 'never',
        responses: 'never',
      }),
    ],
  },
]
