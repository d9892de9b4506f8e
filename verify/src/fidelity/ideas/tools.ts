import { fact, type Idea, type ProtocolName } from '../fact.ts'
import { objectOf, type JsonObject, type JsonValue } from '../json.ts'
import { at, either, has, type Pattern } from '../look.ts'
import { ask } from '../wire/build.ts'

const SCHEMA = {
  type: 'object',
  properties: {
    city: { type: 'string', description: 'Where', minLength: 1 },
    unit: { type: 'string', enum: ['C', 'F'] },
    days: { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 7 },
  },
  required: ['city'],
}

const chatTool = (more: JsonObject) => ({ type: 'function', function: more })
const flatTool = (more: JsonObject) => ({ type: 'function', parameters: null, strict: false, ...more })
const declared = (...declarations: readonly JsonObject[]) => ({ tools: [{ functionDeclarations: declarations }] })
const PARAMETERS: { readonly [Name in ProtocolName]: string } = {
  chat: 'tools.*.function.parameters',
  messages: 'tools.*.input_schema',
  genai: 'tools.*.functionDeclarations.*',
  responses: 'tools.*.parameters',
}

/** A path in the schema of the only tool. Genai has two dialects: the types of the older one are usually in capitals. */
const inSchema = (name: string, path: string, pattern: Pattern, older = pattern) =>
  fact(name, new RegExp(`schema|${path.split('.').at(-1) ?? ''}`, 'i'), {
    chat: at(`${PARAMETERS.chat}.${path}`, pattern),
    messages: at(`${PARAMETERS.messages}.${path}`, pattern),
    genai: either(
      at(`${PARAMETERS.genai}.parametersJsonSchema.${path}`, pattern),
      at(`${PARAMETERS.genai}.parameters.${path}`, older),
    ),
    responses: at(`${PARAMETERS.responses}.${path}`, pattern),
  })

/** If a schema cannot express the order of its members, it is the order in which they are written. */
const ordered = (properties: JsonValue) => Object.keys(objectOf(properties)).join() === 'city,days'

const tool = (schema: JsonObject): Idea['in'] => ({
  chat: ask.chat({ tools: [chatTool({ name: 'weather', description: 'Tells the weather', parameters: schema })] }),
  messages: ask.messages({ tools: [{ name: 'weather', description: 'Tells the weather', input_schema: schema }] }),
  genai: ask.genai(declared({ name: 'weather', description: 'Tells the weather', parametersJsonSchema: schema })),
  responses: ask.responses({
    tools: [flatTool({ name: 'weather', description: 'Tells the weather', parameters: schema })],
  }),
})

/** A function with this name. */
export const named = (name: string, called: string) =>
  fact(name, /tool|name/i, {
    chat: has('tools.*.function.name', called),
    messages: has('tools.*.name', called),
    genai: has('tools.*.functionDeclarations.*.name', called),
    responses: has('tools.*.name', called),
  })

/** Every upstream of messages refuses another type than object at the root. */
const ofObject = fact('that it takes an object', /schema|type/i, {
  chat: 'elsewhere',
  messages: at('tools.*.input_schema.type', 'object'),
  genai: 'elsewhere',
  responses: 'elsewhere',
})
const CITY = { type: 'object', properties: { city: { type: 'string' } } }

/** Tools that the model may call. */
export const tools: readonly Idea[] = [
  ...(
    [
      ['no type', { properties: { city: { type: 'string' } } }],
      ['choices at its root', { anyOf: [CITY, { type: 'object', properties: { zip: { type: 'string' } } }] }],
    ] as const
  ).map(([name, schema]): Idea => ({
    name: `a function whose schema has ${name}`,
    in: {
      chat: ask.chat({ tools: [chatTool({ name: 'weather', parameters: schema })] }),
      genai: ask.genai(declared({ name: 'weather', parametersJsonSchema: schema })),
    },
    facts: [{ ...ofObject, implied: true }],
  })),
  {
    name: 'a function',
    in: tool(SCHEMA),
    facts: [
      named('its name', 'weather'),
      fact('its description', /description|tool/i, {
        chat: has('tools.*.function.description', 'Tells the weather'),
        messages: has('tools.*.description', 'Tells the weather'),
        genai: has('tools.*.functionDeclarations.*.description', 'Tells the weather'),
        responses: has('tools.*.description', 'Tells the weather'),
      }),
      inSchema('the type of a member', 'properties.city.type', 'string', /^string$/i),
      inSchema('the description of a member', 'properties.city.description', 'Where'),
      inSchema('a bound', 'properties.city.minLength', 1, (value: unknown) => Number(value) === 1),
      inSchema('the choices', 'properties.unit.enum', ['C', 'F']),
      inSchema('the elements of a list', 'properties.days.items.type', 'integer', /^integer$/i),
      inSchema('what is required', 'required', ['city']),
    ],
  },
  {
    name: 'a schema with what genai once refused',
    in: tool({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        when: { $ref: '#/$defs/date' },
        which: { oneOf: [{ type: 'string' }, { type: 'integer' }] },
        fixed: { const: 'x' },
        many: { type: 'integer', exclusiveMinimum: 0, multipleOf: 5 },
      },
      $defs: { date: { type: 'string', format: 'date' } },
      additionalProperties: false,
    }),
    facts: [
      inSchema('closed objects', 'additionalProperties', false),
      inSchema(
        'alternatives',
        'properties.which',
        { oneOf: [{ type: 'string' }, { type: 'integer' }] },
        (value: unknown) => /anyOf|oneOf/.test(JSON.stringify(value)),
      ),
      inSchema('a constant', 'properties.fixed', { const: 'x' }, { enum: ['x'] }),
      inSchema('an open bound', 'properties.many', { exclusiveMinimum: 0 }, { minimum: 1 }),
    ],
  },
  {
    name: 'a schema in the dialect of genai',
    in: {
      genai: ask.genai(
        declared({
          name: 'weather',
          parameters: {
            type: 'OBJECT',
            properties: {
              days: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1' },
              city: { type: 'STRING', nullable: true },
            },
            required: ['city'],
            propertyOrdering: ['city', 'days'],
          },
        }),
      ),
    },
    facts: [
      inSchema('the type of a member', 'properties.days.type', 'array', /^array$/i),
      inSchema('the type of an element', 'properties.days.items.type', 'integer', /^integer$/i),
      inSchema('a bound written as text', 'properties.days.minItems', 1, '1'),
      inSchema('that a member may be null', 'properties.city', (value: unknown) => /null/.test(JSON.stringify(value))),
      fact('the order of the members', /order/i, {
        chat: at(`${PARAMETERS.chat}.properties`, ordered),
        messages: at(`${PARAMETERS.messages}.properties`, ordered),
        genai: either(
          has(`${PARAMETERS.genai}.*.propertyOrdering`, ['city', 'days']),
          at(`${PARAMETERS.genai}.parametersJsonSchema.properties`, ordered),
        ),
        responses: at(`${PARAMETERS.responses}.properties`, ordered),
      }),
    ],
  },
  {
    name: 'a function without parameters',
    in: {
      chat: ask.chat({ tools: [chatTool({ name: 'now' })] }),
      messages: ask.messages({ tools: [{ name: 'now', input_schema: { type: 'object', properties: {} } }] }),
      genai: ask.genai(declared({ name: 'now' })),
      responses: ask.responses({ tools: [flatTool({ name: 'now' })] }),
    },
    facts: [named('its name', 'now')],
  },
  {
    name: 'two functions',
    in: {
      chat: ask.chat({ tools: [chatTool({ name: 'one' }), chatTool({ name: 'two' })] }),
      messages: ask.messages({
        tools: [
          { name: 'one', input_schema: { type: 'object' } },
          { type: 'custom', name: 'two', input_schema: { type: 'object' } },
        ],
      }),
      genai: ask.genai(declared({ name: 'one' }, { name: 'two' })),
      responses: ask.responses({ tools: [flatTool({ name: 'one' }), flatTool({ name: 'two' })] }),
    },
    facts: [named('the first', 'one'), named('the second', 'two')],
  },
  {
    name: 'a strict function',
    in: {
      chat: ask.chat({ tools: [chatTool({ name: 'weather', parameters: SCHEMA, strict: true })] }),
      messages: ask.messages({ tools: [{ name: 'weather', input_schema: SCHEMA, strict: true }] }),
      responses: ask.responses({ tools: [flatTool({ name: 'weather', parameters: SCHEMA, strict: true })] }),
    },
    facts: [
      fact('the strictness', /strict/i, {
        chat: has('tools.*.function.strict', true),
        messages: has('tools.*.strict', true),
        genai: 'never',
        responses: has('tools.*.strict', true),
      }),
    ],
  },
  {
    name: 'a name with dots, which chat and messages refuse',
    in: { genai: ask.genai(declared({ name: 'files.read:v1' })) },
    facts: [
      fact('a name that is allowed', /tool|name/i, {
        chat: has('tools.*.function.name', /^[a-zA-Z0-9_-]{1,64}$/),
        messages: has('tools.*.name', /^[a-zA-Z0-9_-]{1,128}$/),
        // A second translation does not know the names of the first one.
        genai: has('tools.*.functionDeclarations.*.name', /^files.read.v1$/),
        responses: has('tools.*.name', /^[a-zA-Z0-9_-]{1,128}$/),
      }),
    ],
  },
  {
    name: 'a name longer than chat takes',
    in: { messages: ask.messages({ tools: [{ name: 'x'.repeat(100), input_schema: { type: 'object' } }] }) },
    facts: [
      fact('a name that is allowed', /tool|name/i, {
        chat: has('tools.*.function.name', /^x[a-zA-Z0-9_-]{0,63}$/),
        messages: has('tools.*.name', /^x[a-zA-Z0-9_-]{0,127}$/),
        genai: has('tools.*.functionDeclarations.*.name', /^x[\w.:-]{0,127}$/),
        responses: has('tools.*.name', /^x[a-zA-Z0-9_-]{0,127}$/),
      }),
    ],
  },
]
