import type { Library } from './library.ts'

const ROOT = 'http://127.0.0.1:8080'

export const PYTHON_LIBRARIES: readonly Library[] = [
  {
    name: 'python-openai',
    title: 'openai (Python)',
    language: 'python',
    driver: 'openai',
    protocols: {
      chat: {
        echoes: 'signatures',
        connect: `
client = OpenAI(base_url="${ROOT}/api/v1", api_key=key)
client.chat.completions.create(model="anthropic/claude-sonnet-4.5", messages=messages)`,
      },
      responses: {
        echoes: 'signatures',
        connect: `
client = OpenAI(base_url="${ROOT}/api/v1", api_key=key)
client.responses.create(model="anthropic/claude-sonnet-4.5", input=prompt)`,
      },
    },
  },
  {
    name: 'python-anthropic',
    title: 'anthropic (Python)',
    language: 'python',
    driver: 'anthropic',
    protocols: {
      messages: {
        echoes: 'signatures',
        connect: `
client = Anthropic(base_url="${ROOT}/api/anthropic", api_key=key)
client.messages.create(model="openai/gpt-5.4", max_tokens=4096, messages=messages)`,
      },
    },
  },
  {
    name: 'python-google-genai',
    title: 'google-genai (Python)',
    language: 'python',
    driver: 'google-genai',
    protocols: {
      genai: {
        echoes: 'signatures',
        connect: `
http_options = HttpOptions(base_url="${ROOT}/api/vertex-ai", api_version="v1")
client = genai.Client(vertexai=True, api_key=key, http_options=http_options)
client.models.generate_content(model="openai/gpt-5.4", contents=prompt)`,
      },
    },
  },
  {
    name: 'litellm',
    title: 'LiteLLM',
    language: 'python',
    driver: 'litellm',
    protocols: {
      chat: {
        // Of a stream it keeps provider_specific_fields, which translated streams have, but not reasoning_details.
        echoes: 'translated signatures',
        connect: `
litellm.completion(model="litellm_proxy/openai/gpt-5.4", api_base="${ROOT}/api/v1", api_key=key,
    messages=messages)`,
      },
      messages: {
        echoes: 'signatures',
        connect: `
litellm.completion(model="anthropic/openai/gpt-5.4", api_base="${ROOT}/api/anthropic", api_key=key,
    messages=messages)`,
      },
      genai: {
        echoes: 'signatures',
        connect: `
litellm.completion(model="gemini/openai/gpt-5.4", api_base="${ROOT}/api/vertex-ai/v1beta", api_key=key,
    messages=messages)`,
      },
    },
  },
  {
    name: 'langchain-python-openai',
    title: 'LangChain (Python), langchain-openai',
    language: 'python',
    driver: 'langchain-openai',
    protocols: {
      chat: {
        echoes: 'signed calls',
        connect: `
model = ChatOpenAI(base_url="${ROOT}/api/v1", api_key=key, model="anthropic/claude-sonnet-4.5")`,
      },
      responses: {
        echoes: 'signatures',
        connect: `
model = ChatOpenAI(base_url="${ROOT}/api/v1", api_key=key, model="anthropic/claude-sonnet-4.5", use_responses_api=True)`,
      },
    },
  },
  {
    name: 'langchain-python-anthropic',
    title: 'LangChain (Python), langchain-anthropic',
    language: 'python',
    driver: 'langchain-anthropic',
    protocols: {
      messages: {
        echoes: 'signatures',
        connect: `
model = ChatAnthropic(base_url="${ROOT}/api/anthropic", api_key=key, model="openai/gpt-5.4")`,
      },
    },
  },
  {
    name: 'langchain-python-google-genai',
    title: 'LangChain (Python), langchain-google-genai',
    language: 'python',
    driver: 'langchain-google-genai',
    protocols: {
      genai: {
        echoes: 'signatures',
        connect: `
model = ChatGoogleGenerativeAI(base_url="${ROOT}/api/vertex-ai", api_key=key, model="openai/gpt-5.4")`,
      },
    },
  },
  {
    name: 'pydantic-ai',
    title: 'Pydantic AI',
    language: 'python',
    driver: 'pydantic-ai',
    protocols: {
      chat: {
        // It returns the text of the reasoning without its signature.
        echoes: 'signed calls',
        connect: `
provider = OpenAIProvider(base_url="${ROOT}/api/v1", api_key=key)
agent = Agent(OpenAIChatModel("anthropic/claude-sonnet-4.5", provider=provider))`,
      },
      messages: {
        echoes: 'signatures',
        connect: `
client = AsyncAnthropic(base_url="${ROOT}/api/anthropic", api_key=key)
agent = Agent(AnthropicModel("openai/gpt-5.4", provider=AnthropicProvider(anthropic_client=client)))`,
      },
      genai: {
        echoes: 'signatures',
        connect: `
provider = GoogleProvider(base_url="${ROOT}/api/vertex-ai", api_key=key)
agent = Agent(GoogleModel("openai/gpt-5.4", provider=provider))`,
      },
      responses: {
        echoes: 'signatures',
        connect: `
provider = OpenAIProvider(base_url="${ROOT}/api/v1", api_key=key)
profile = OpenAIModelProfile(openai_supports_encrypted_reasoning_content=True)
agent = Agent(OpenAIResponsesModel("anthropic/claude-sonnet-4.5", provider=provider, profile=profile))`,
      },
    },
  },
  {
    name: 'openai-agents',
    title: 'OpenAI Agents SDK (Python)',
    language: 'python',
    driver: 'openai-agents',
    protocols: {
      chat: {
        echoes: 'signed calls',
        connect: `
client = AsyncOpenAI(base_url="${ROOT}/api/v1", api_key=key)
agent = Agent(name="mine", model=OpenAIChatCompletionsModel(model="google/gemini-3.5-flash", openai_client=client))`,
      },
      responses: {
        echoes: 'signatures',
        connect: `
client = AsyncOpenAI(base_url="${ROOT}/api/v1", api_key=key)
agent = Agent(name="mine", model=OpenAIResponsesModel(model="google/gemini-3.5-flash", openai_client=client))`,
      },
    },
  },
  {
    name: 'open-responses',
    title: 'Open Responses (its types)',
    language: 'python',
    driver: 'openresponses-types',
    protocols: {
      responses: {
        echoes: 'signatures',
        connect: `
response = httpx.post("${ROOT}/api/v1/responses", headers={"authorization": f"Bearer {key}"}, json=body)
ResponseResource.model_validate(response.json())`,
      },
    },
  },
  {
    name: 'google-adk',
    title: 'Google ADK (Python)',
    language: 'python',
    driver: 'google-adk',
    protocols: {
      genai: {
        echoes: 'signatures',
        connect: `
# GOOGLE_API_KEY is the key
agent = LlmAgent(name="mine", model=Gemini(model="openai/gpt-5.4", base_url="${ROOT}/api/vertex-ai"))`,
      },
    },
  },
]
