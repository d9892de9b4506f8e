import type Anthropic from '@anthropic-ai/sdk'
import type { MessagesEvent, MessagesRequest, MessagesResponse } from '@dragoman/core'
import type { Gaps, Reasons } from './gaps.test-d.ts'

// What the types of the SDK allow and our grammar does not, with the reason. `tsc` fails where a list is not complete.

const HEADER = 'the SDK sends it as a header'
const WHOLE = 'a block of a tool that runs upstream: kept as a whole for messages, and reported as lost toward others'

type Params = Anthropic.MessageCreateParams
type BetaParams = Anthropic.Beta.Messages.MessageCreateParams
type Requests = Gaps<Omit<Params, 'tools'>, MessagesRequest>
type BetaRequests = Gaps<Omit<BetaParams, 'tools'>, MessagesRequest>

export const requests: Reasons<Requests> = {
  'body.user_profile_id': HEADER,
  'body.workspace_id': HEADER,
  'content=web_fetch_tool_result': WHOLE,
  'content=code_execution_tool_result': WHOLE,
  'content=bash_code_execution_tool_result': WHOLE,
  'content=text_editor_code_execution_tool_result': WHOLE,
  'content=tool_search_tool_result': WHOLE,
  'content=container_upload': WHOLE,
}

export const betaRequests: Reasons<Exclude<BetaRequests, Requests>> = {
  'body.betas': HEADER,
  'content=advisor_tool_result': WHOLE,
  'content=mcp_tool_use': WHOLE,
  'content=mcp_tool_result': WHOLE,
  'content=mcp_tool_listing': WHOLE,
  'content=compaction': 'a summary that its upstream reads again: kept as a whole',
  'content=fallback': 'a note that another model went on: kept as a whole',
  'content=tool_addition': 'changes the tools in the middle of a conversation: kept as a whole',
  'content=tool_removal': 'changes the tools in the middle of a conversation: kept as a whole',
}

type Counted = Anthropic.MessageCountTokensParams | Anthropic.Beta.Messages.MessageCountTokensParams

export const counts: Reasons<Exclude<Gaps<Omit<Counted, 'tools'>, MessagesRequest>, Requests | BetaRequests>> = {
  'body.max_tokens?': 'a request that is only counted needs no limit: the codec for counting adds one',
}

type WireTool = NonNullable<MessagesRequest['tools']>[number]
type AnyTool = NonNullable<(Params | BetaParams | Counted)['tools']>[number]
type OwnTool = Extract<AnyTool, { input_schema: unknown }>

/** A tool of the caller has no gaps. */
export const ownTools: Reasons<Gaps<OwnTool, WireTool>> = 'no gaps'

/** A tool that the vendor defines is known by its kind. Its other members are options, which are kept as they are. */
type Kind<Type> = Type extends `${infer Name}_20${string}` ? Name : Type
const OPTIONS = 'kept with its options for messages, and reported as lost toward others'

export const vendorTools: Reasons<Kind<Exclude<AnyTool, OwnTool>['type']>> = {
  web_search: 'translated',
  bash: OPTIONS,
  text_editor: OPTIONS,
  code_execution: 'read, and refused by `checkRequest`: the specification has none',
  web_fetch: OPTIONS,
  memory: OPTIONS,
  computer: OPTIONS,
  computer_toolset: OPTIONS,
  browser_toolset: OPTIONS,
  tool_search_tool_bm25: OPTIONS,
  tool_search_tool_regex: OPTIONS,
  advisor: OPTIONS,
  mcp_toolset: OPTIONS,
}

/** Blocks inside a block are checked by the same grammar, but their type ends there. */
type Block = Exclude<MessagesRequest['messages'][number]['content'], string | undefined>[number]
type Listed<Content> = Extract<Content, readonly unknown[]>[number]
type Nested =
  | Listed<Anthropic.ToolResultBlockParam['content']>
  | Listed<Anthropic.ContentBlockSource['content']>
  | Listed<Anthropic.SearchResultBlockParam['content']>

export const nested: Reasons<Gaps<Nested, Block>> = {
  'body=tool_reference': WHOLE,
  'body=browser_state': WHOLE,
}

// Blocks of answers come back in requests: those that are kept as a whole are named above.
type Known = Requests | BetaRequests
type AnyMessage = Anthropic.Message | Anthropic.Beta.BetaMessage
export const responses: Reasons<Exclude<Gaps<AnyMessage, MessagesResponse>, Known>> = 'no gaps'

type AnyEvent = Anthropic.RawMessageStreamEvent | Anthropic.Beta.BetaRawMessageStreamEvent
type Streamed<Gap> = Gap extends `content=${infer Kind}` ? `content_block=${Kind}` : Gap
export const events: Reasons<Exclude<Gaps<AnyEvent, MessagesEvent>, Known | Streamed<Known>>> = {
  'delta=compaction_delta': 'of a block that is kept as a whole',
}
