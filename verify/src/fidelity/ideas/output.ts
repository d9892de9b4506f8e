import { fact, type Idea } from '../fact.ts'
import { at, either, lacks } from '../look.ts'
import { ask, tune } from '../wire/build.ts'

const SCHEMA = {
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  required: ['name'],
  additionalProperties: false,
}
const CHAT = 'response_format.json_schema'
const FORMAT = 'output_config.format'
const CONFIG = 'generationConfig'
const TEXT = 'text.format'

/** Output formats. */
export const output: readonly Idea[] = [
  {
    name: 'an answer by a schema',
    in: {
      chat: ask.chat({
        response_format: { type: 'json_schema', json_schema: { name: 'person', schema: SCHEMA, strict: true } },
      }),
      messages: ask.messages({ output_config: { format: { type: 'json_schema', schema: SCHEMA } } }),
      genai: tune({ responseMimeType: 'application/json', responseJsonSchema: SCHEMA }),
      responses: ask.responses({
        text: { format: { type: 'json_schema', name: 'person', schema: SCHEMA, strict: true } },
      }),
    },
    facts: [
      fact('that it is JSON', /format|output|mime/i, {
        chat: at('response_format.type', 'json_schema'),
        messages: at(`${FORMAT}.type`, 'json_schema'),
        genai: at(`${CONFIG}.responseMimeType`, 'application/json'),
        responses: at(`${TEXT}.type`, 'json_schema'),
      }),
      fact('the members', /schema/i, {
        chat: at(`${CHAT}.schema.properties.age.type`, 'integer'),
        messages: at(`${FORMAT}.schema.properties.age.type`, 'integer'),
        genai: either(
          at(`${CONFIG}.responseJsonSchema.properties.age.type`, 'integer'),
          at(`${CONFIG}.responseSchema.properties.age.type`, /^integer$/i),
        ),
        responses: at(`${TEXT}.schema.properties.age.type`, 'integer'),
      }),
      fact('what is required', /schema|required/i, {
        chat: at(`${CHAT}.schema.required`, ['name']),
        messages: at(`${FORMAT}.schema.required`, ['name']),
        genai: either(
          at(`${CONFIG}.responseJsonSchema.required`, ['name']),
          at(`${CONFIG}.responseSchema.required`, ['name']),
        ),
        responses: at(`${TEXT}.schema.required`, ['name']),
      }),
      fact('a bound', /schema|minimum/i, {
        chat: at(`${CHAT}.schema.properties.age.minimum`, 0),
        messages: at(`${FORMAT}.schema.properties.age.minimum`, 0),
        genai: either(
          at(`${CONFIG}.responseJsonSchema.properties.age.minimum`, 0),
          at(`${CONFIG}.responseSchema.properties.age.minimum`, 0),
        ),
        responses: at(`${TEXT}.schema.properties.age.minimum`, 0),
      }),
    ],
  },
  {
    name: 'a schema with name, description and strictness',
    in: {
      chat: ask.chat({
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'person', description: 'Who it is', schema: SCHEMA, strict: true },
        },
      }),
      responses: ask.responses({
        text: {
          format: { type: 'json_schema', name: 'person', description: 'Who it is', schema: SCHEMA, strict: true },
        },
      }),
    },
    facts: [
      fact('the name', /name/i, {
        chat: at(`${CHAT}.name`, 'person'),
        messages: 'never',
        genai: 'never',
        responses: at(`${TEXT}.name`, 'person'),
      }),
      fact('the description', /description/i, {
        chat: at(`${CHAT}.description`, 'Who it is'),
        messages: 'never',
        genai: 'never',
        responses: at(`${TEXT}.description`, 'Who it is'),
      }),
      fact('the strictness', /strict/i, {
        chat: at(`${CHAT}.strict`, true),
        messages: 'never',
        genai: 'never',
        responses: at(`${TEXT}.strict`, true),
      }),
    ],
  },
  {
    name: 'a schema in the dialect of genai',
    in: {
      genai: tune({
        responseMimeType: 'application/json',
        responseSchema: { type: 'OBJECT', properties: { age: { type: 'INTEGER' } }, required: ['age'] },
      }),
    },
    facts: [
      fact('the members', /schema/i, {
        chat: at(`${CHAT}.schema.properties.age.type`, 'integer'),
        messages: at(`${FORMAT}.schema.properties.age.type`, 'integer'),
        genai: either(
          at(`${CONFIG}.responseSchema.properties.age.type`, 'INTEGER'),
          at(`${CONFIG}.responseJsonSchema.properties.age.type`, 'integer'),
        ),
        responses: at(`${TEXT}.schema.properties.age.type`, 'integer'),
      }),
    ],
  },
  {
    name: 'JSON of any form',
    in: {
      chat: ask.chat({ response_format: { type: 'json_object' } }),
      genai: tune({ responseMimeType: 'application/json' }),
      responses: ask.responses({ text: { format: { type: 'json_object' } } }),
    },
    facts: [
      fact('that it is JSON', /format|json/i, {
        chat: at('response_format.type', 'json_object'),
        messages: 'never',
        genai: at(`${CONFIG}.responseMimeType`, 'application/json'),
        responses: at(`${TEXT}.type`, 'json_object'),
      }),
    ],
  },
  {
    name: 'plain text',
    in: {
      chat: ask.chat({ response_format: { type: 'text' } }),
      genai: tune({ responseMimeType: 'text/plain' }),
      responses: ask.responses({ text: { format: { type: 'text' } } }),
    },
    facts: [
      fact('that it is text', /format|mime/i, {
        // The default of all protocols.
        chat: lacks('response_format.type', /json/),
        messages: lacks('output_config.format.type', /json/),
        genai: lacks(`${CONFIG}.responseMimeType`, /json|enum/),
        responses: lacks(`${TEXT}.type`, /json/),
      }),
    ],
  },
  {
    name: 'one word of a list',
    in: { genai: tune({ responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['yes', 'no'] } }) },
    facts: [
      fact('that it is one word', /format|schema|enum/i, {
        chat: 'never',
        messages: 'never',
        genai: at(`${CONFIG}.responseMimeType`, 'text/x.enum'),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'words and images',
    in: { genai: tune({ responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '16:9' } }) },
    facts: [
      fact('both', /modalit/i, {
        chat: { perhaps: at('modalities', ['text', 'image']) },
        messages: 'never',
        genai: at(`${CONFIG}.responseModalities`, ['TEXT', 'IMAGE']),
        responses: 'never',
      }),
      fact('the form of the image', /image/i, {
        chat: 'never',
        messages: 'never',
        genai: at(`${CONFIG}.imageConfig.aspectRatio`, '16:9'),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'a voice',
    in: {
      genai: tune({
        responseModalities: ['AUDIO'],
        speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      }),
    },
    facts: [
      fact('whose', /speech|voice/i, {
        chat: 'never',
        messages: 'never',
        genai: at(`${CONFIG}.speechConfig.voiceConfig.prebuiltVoiceConfig.voiceName`, 'Kore'),
        responses: 'never',
      }),
    ],
  },
  {
    name: 'few words',
    in: { chat: ask.chat({ verbosity: 'low' }), responses: ask.responses({ text: { verbosity: 'low' } }) },
    facts: [
      fact('the verbosity', /verbosity/i, {
        chat: at('verbosity', 'low'),
        messages: 'never',
        genai: 'never',
        responses: at('text.verbosity', 'low'),
      }),
    ],
  },
]
