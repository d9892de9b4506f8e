import { fact, type Idea } from '../fact.ts'
import { at, has, lacks } from '../look.ts'
import { ask } from '../wire/build.ts'
import { named } from './tools.ts'

/** Tools that are not functions. */
export const builtins: readonly Idea[] = [
  {
    name: 'a tool that takes free text',
    in: {
      chat: ask.chat({
        tools: [
          {
            type: 'custom',
            custom: {
              name: 'shell',
              description: 'Runs it',
              format: { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "x"' } },
            },
          },
        ],
      }),
      responses: ask.responses({
        tools: [
          {
            type: 'custom',
            name: 'shell',
            description: 'Runs it',
            format: { type: 'grammar', syntax: 'lark', definition: 'start: "x"' },
          },
        ],
      }),
    },
    facts: [
      fact('a tool of that name', /custom|tool/i, {
        chat: has('tools.*.custom.name', 'shell'),
        messages: { perhaps: has('tools.*.name', 'shell') },
        genai: { perhaps: has('tools.*.functionDeclarations.*.name', 'shell') },
        responses: has('tools.*', { type: 'custom', name: 'shell' }),
      }),
      fact('its grammar', /format|grammar|custom|tools\.0:/i, {
        chat: has('tools.*.custom.format.grammar.definition', 'start: "x"'),
        messages: 'never',
        genai: 'never',
        responses: has('tools.*.format', { type: 'grammar', syntax: 'lark', definition: 'start: "x"' }),
      }),
    ],
  },
  {
    name: 'web search',
    in: {
      chat: ask.chat({ web_search_options: {} }),
      messages: ask.messages({ tools: [{ type: 'web_search_20250305', name: 'web_search' }] }),
      genai: ask.genai({ tools: [{ googleSearch: {} }] }),
      responses: ask.responses({ tools: [{ type: 'web_search' }] }),
    },
    facts: [
      fact('that it may search', /search|tools/i, {
        chat: at('web_search_options', {}),
        messages: has('tools.*', { type: /^web_search_/, name: 'web_search' }),
        genai: has('tools.*.googleSearch', {}),
        responses: has('tools.*.type', /^web_search/),
      }),
    ],
  },
  {
    name: 'web search near somewhere',
    in: {
      chat: ask.chat({
        web_search_options: { user_location: { type: 'approximate', approximate: { city: 'Paris', country: 'FR' } } },
      }),
      messages: ask.messages({
        tools: [
          {
            type: 'web_search_20250305',
            name: 'web_search',
            user_location: { type: 'approximate', city: 'Paris', country: 'FR' },
          },
        ],
      }),
      responses: ask.responses({
        tools: [{ type: 'web_search', user_location: { type: 'approximate', city: 'Paris', country: 'FR' } }],
      }),
    },
    facts: [
      fact('the place', /location|search|options/i, {
        chat: at('web_search_options.user_location.approximate', { city: 'Paris', country: 'FR' }),
        messages: has('tools.*.user_location', { city: 'Paris', country: 'FR' }),
        genai: 'never',
        responses: has('tools.*.user_location', { city: 'Paris', country: 'FR' }),
      }),
    ],
  },
  {
    name: 'bounds of a web search',
    in: {
      messages: ask.messages({
        tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3, allowed_domains: ['example.com'] }],
      }),
    },
    facts: [
      fact('how often', /max_?uses|options/i, {
        chat: 'never',
        messages: has('tools.*.max_uses', 3),
        genai: 'never',
        responses: 'never',
      }),
      fact('where', /domains|options/i, {
        chat: 'never',
        messages: has('tools.*.allowed_domains.*', 'example.com'),
        genai: 'never',
        responses: has('tools.*.filters.allowed_domains.*', 'example.com'),
      }),
    ],
  },
  ...[
    ['a shell of the upstream', 'bash_20250124', 'bash'],
    ['an editor of the upstream', 'text_editor_20250728', 'str_replace_based_edit_tool'],
  ].map(([name = '', type = '', called = '']): Idea => ({
    name,
    in: { messages: ask.messages({ tools: [{ type, name: called }] }) },
    facts: [
      fact('the tool', /tool|bash|editor/i, {
        chat: 'never',
        messages: has('tools.*.type', type),
        genai: 'never',
        responses: { perhaps: has('tools.*.type', /^(local_)?shell$|^apply_patch$/) },
      }),
    ],
  })),
  ...['codeExecution', 'urlContext'].map((member): Idea => ({
    name: `${member} of genai`,
    in: { genai: ask.genai({ tools: [{ [member]: {} }] }) },
    facts: [
      fact('the tool', /tool|code|url/i, {
        chat: 'never',
        messages: 'never',
        genai: has(`tools.*.${member}`, {}),
        responses: { perhaps: has('tools.*.type', 'code_interpreter') },
      }),
    ],
  })),
  {
    name: 'functions beside a search of genai',
    in: { genai: ask.genai({ tools: [{ functionDeclarations: [{ name: 'now' }] }, { googleSearch: {} }] }) },
    facts: [
      named('the function', 'now'),
      fact('no function is made of the search', /search/i, {
        chat: lacks('tools.*.function.name', /search/i),
        messages: has('tools.*.type', /^web_search_/),
        genai: has('tools.*.googleSearch', {}),
        responses: has('tools.*.type', /^web_search/),
      }),
    ],
  },
]
