import type { Feature, JsonObject, Protocol } from '@dragoman/core'
import { chat, genai, messages } from '@dragoman/core/protocols'

export const PNG = 'iVBORw0KGgo='

export const ask = (members: object, content: unknown = 'Hi'): JsonObject =>
  ({ model: 'm', messages: [{ role: 'user', content }], ...members }) as JsonObject // literals
export const say = (members: object, content: unknown = 'Hi'): JsonObject =>
  ask({ max_tokens: 100, ...members }, content)
const generate = (members: object, ...parts: object[]): JsonObject =>
  ({ contents: [{ role: 'user', parts: [{ text: 'Hi' }, ...parts] }], ...members }) as JsonObject // literals

const functionTool = { type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }
export const schema = { type: 'object', properties: { a: { type: 'string' } } }

/** One request per feature and protocol, and the protocols that lose the feature. */
export const PLANTED: readonly (readonly [Feature, Protocol, JsonObject, readonly Protocol[]])[] = [
  ['tools', messages, say({ tools: [{ type: 'bash_20250124', name: 'bash' }] }), [chat, genai]],
  ['tool-choice', chat, ask({ tools: [functionTool], parallel_tool_calls: false }), [genai]],
  ['structured-output', chat, ask({ response_format: { type: 'json_object' } }), [messages]],
  [
    'structured-output',
    chat,
    ask({ tools: [{ ...functionTool, function: { ...functionTool.function, strict: true } }] }),
    [genai],
  ],
  [
    'structured-output',
    genai,
    generate({
      generationConfig: { responseMimeType: 'text/x.enum', responseSchema: { type: 'STRING', enum: ['a'] } },
    }),
    [chat, messages],
  ],
  [
    'system',
    chat,
    {
      model: 'm',
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b' },
        { role: 'system', content: 'c' },
        { role: 'user', content: 'd' },
      ],
    },
    [messages, genai],
  ],
  [
    'images',
    messages,
    say({}, [
      { type: 'image', source: { type: 'file', file_id: 'f' } },
      { type: 'text', text: 'a' },
    ]),
    [chat, genai],
  ],
  [
    'audio',
    chat,
    ask({}, [
      { type: 'text', text: 'a' },
      { type: 'input_audio', input_audio: { data: PNG, format: 'wav' } },
    ]),
    [messages],
  ],
  [
    'audio',
    genai,
    generate({}, { fileData: { mimeType: 'audio/mp3', fileUri: 'https://a.example/b.mp3' } }),
    [chat, messages],
  ],
  [
    'video',
    genai,
    generate({}, { fileData: { mimeType: 'video/mp4', fileUri: 'https://a.example/b.mp4' } }),
    [chat, messages],
  ],
  [
    'files',
    chat,
    ask({}, [
      { type: 'text', text: 'a' },
      { type: 'file', file: { file_id: 'f' } },
    ]),
    [messages, genai],
  ],
  [
    'files',
    genai,
    generate({}, { fileData: { mimeType: 'application/pdf', fileUri: 'https://a.example/b.pdf' } }),
    [chat],
  ],
  ['media-output', genai, generate({ generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } }), [chat, messages]],
  [
    'reasoning',
    genai,
    generate({ generationConfig: { thinkingConfig: { includeThoughts: true, thinkingBudget: 2000 } } }),
    [chat],
  ],
  [
    'signatures',
    messages,
    say({
      messages: [
        { role: 'user', content: 'a' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'b', signature: 'c' },
            { type: 'text', text: 'd' },
          ],
        },
        { role: 'user', content: 'e' },
      ],
    }),
    [chat, genai],
  ],
  [
    'signatures',
    genai,
    {
      contents: [
        { role: 'user', parts: [{ text: 'a' }] },
        { role: 'model', parts: [{ text: 'b', thoughtSignature: 'Yw==' }] },
        { role: 'user', parts: [{ text: 'd' }] },
      ],
    },
    [chat, messages],
  ],
  ['cache', messages, say({}, [{ type: 'text', text: 'a', cache_control: { type: 'ephemeral' } }]), [chat, genai]],
  ['cache', genai, generate({ cachedContent: 'cachedContents/a' }), [chat, messages]],
  [
    'citations',
    messages,
    say({}, [
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a' }, citations: { enabled: true } },
    ]),
    [chat, genai],
  ],
  ['search', genai, generate({ tools: [{ urlContext: {} }] }), [chat, messages]],
  ['code-execution', genai, generate({ tools: [{ codeExecution: {} }] }), [chat, messages]],
  ['sampling', chat, ask({ seed: 1 }), [messages]],
  ['sampling', messages, say({ top_k: 5 }), [chat]],
  ['stop', messages, say({ stop_sequences: ['a', 'b', 'c', 'd', 'e', 'f'] }), [chat, genai]],
  ['logprobs', chat, ask({ logprobs: true }), [messages]],
  ['candidates', genai, generate({ generationConfig: { candidateCount: 2 } }), [messages]],
  [
    'safety',
    genai,
    generate({ safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }] }),
    [chat, messages],
  ],
  ['user', messages, say({ metadata: { user_id: 'u' } }), [genai]],
  ['metadata', chat, ask({ metadata: { a: 'b' } }), [messages, genai]],
  ['vendor-members', messages, say({ container: 'c' }), [chat, genai]],
]

/** One request per protocol that uses what it can, and the paths of it in the IR, all of which an upstream may refuse. */
export const REQUESTS: readonly (readonly [Protocol, JsonObject])[] = [
  [
    chat,
    {
      model: 'm',
      messages: [
        { role: 'system', content: 'a' },
        { role: 'user', content: 'b', name: 'c' },
      ],
      tools: [functionTool],
      tool_choice: 'none',
      response_format: { type: 'json_schema', json_schema: { name: 'd', schema } },
      reasoning_effort: 'high',
      max_completion_tokens: 4096,
      temperature: 1,
      stop: 'e',
      safety_identifier: 'f',
    },
  ],
  [
    messages,
    {
      model: 'm',
      system: 'a',
      messages: [{ role: 'user', content: 'b' }],
      tools: [{ name: 'look', input_schema: schema }],
      tool_choice: { type: 'none' },
      output_config: { format: { type: 'json_schema', schema } },
      thinking: { type: 'enabled', budget_tokens: 1024 },
      max_tokens: 2048,
      temperature: 1,
      stop_sequences: ['e'],
      metadata: { user_id: 'f' },
    },
  ],
  [
    genai,
    {
      systemInstruction: { parts: [{ text: 'a' }] },
      contents: [{ role: 'user', parts: [{ text: 'b' }] }],
      tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: schema }] }],
      toolConfig: { functionCallingConfig: { mode: 'NONE' } },
      generationConfig: {
        responseMimeType: 'application/json',
        responseJsonSchema: schema,
        thinkingConfig: { thinkingBudget: 1024 },
        maxOutputTokens: 2048,
        temperature: 1,
        stopSequences: ['e'],
      },
    },
  ],
]
