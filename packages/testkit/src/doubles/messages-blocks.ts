import type { SealRules } from './seal-rules.ts'
import {
  base64,
  filled,
  flag,
  isFuture,
  isWire,
  list,
  matching,
  object,
  oneOf,
  only,
  optional,
  refuse,
  nonEmpty,
  string,
  whole,
  type Wire,
} from './refuse.ts'

const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/
const ID = /^[a-zA-Z0-9_-]+$/
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

const MEMBERS_OF: { readonly [type: string]: string } = {
  text: 'type text cache_control citations',
  image: 'type source cache_control',
  document: 'type source cache_control citations context title',
  tool_use: 'type id name input cache_control',
  tool_result: 'type tool_use_id content is_error cache_control',
  server_tool_use: 'type id name input cache_control',
  web_search_tool_result: 'type tool_use_id content cache_control',
  thinking: 'type thinking signature',
  redacted_thinking: 'type data',
  search_result: 'type source title content citations cache_control',
}

const CITATION_MEMBERS_OF: { readonly [type: string]: string } = {
  char_location: 'document_index document_title start_char_index end_char_index',
  page_location: 'document_index document_title start_page_number end_page_number',
  content_block_location: 'document_index document_title start_block_index end_block_index',
  web_search_result_location: 'url title encrypted_index',
  search_result_location: 'source title search_result_index start_block_index end_block_index',
}

/** Checks one content block, of a request or a response. */
export function acceptBlock(value: unknown, path: string, rules: SealRules): Wire {
  const block = object(value, path)
  const type = string(block['type'], `${path}.type`)
  if (isFuture(type)) return block
  const members = Object.hasOwn(MEMBERS_OF, type) ? MEMBERS_OF[type] : undefined
  if (members === undefined) refuse(`${path}.type`, `unknown block ${type}`)
  only(block, members, path)
  optional(block['cache_control'], (mark) => acceptCacheControl(mark, `${path}.cache_control`))
  CHECK_OF[type]?.(block, path, rules)
  return block
}

export function acceptCacheControl(value: unknown, path: string): void {
  if (value === null) return
  const mark = object(value, path)
  only(mark, 'type ttl', path)
  oneOf(mark['type'], ['ephemeral'], `${path}.type`)
  optional(mark['ttl'], (ttl) => oneOf(ttl, ['5m', '1h'], `${path}.ttl`))
}

export function acceptToolName(value: unknown, path: string): string {
  return matching(value, TOOL_NAME, path)
}

const CHECK_OF: { readonly [type: string]: (block: Wire, path: string, rules: SealRules) => void } = {
  text(block, path) {
    nonEmpty(block['text'], `${path}.text`)
    optional(block['citations'], (found) => {
      if (found === null) return
      for (const [index, citation] of list(found, `${path}.citations`).entries())
        acceptCitation(citation, `${path}.citations.${index}`)
    })
  },
  image(block, path) {
    const source = object(block['source'], `${path}.source`)
    switch (source['type']) {
      case 'base64':
        only(source, 'type media_type data', `${path}.source`)
        oneOf(source['media_type'], IMAGE_TYPES, `${path}.source.media_type`)
        base64(source['data'], `${path}.source.data`)
        return
      default:
        acceptRemote(source, `${path}.source`)
    }
  },
  document(block, path, rules) {
    acceptDocumentSource(object(block['source'], `${path}.source`), `${path}.source`, rules)
    acceptCitable(block, path)
    for (const key of ['title', 'context']) {
      optional(block[key], (text) => text === null || nonEmpty(text, `${path}.${key}`))
    }
  },
  tool_use(block, path) {
    matching(block['id'], ID, `${path}.id`)
    acceptToolName(block['name'], `${path}.name`)
    object(block['input'], `${path}.input`)
  },
  server_tool_use(block, path) {
    matching(block['id'], /^srvtoolu_[a-zA-Z0-9_-]+$/, `${path}.id`)
    nonEmpty(block['name'], `${path}.name`)
    optional(block['input'], (input) => object(input, `${path}.input`))
  },
  tool_result(block, path, rules) {
    matching(block['tool_use_id'], ID, `${path}.tool_use_id`)
    optional(block['is_error'], (failed) => flag(failed, `${path}.is_error`))
    optional(block['content'], (content) => {
      if (typeof content === 'string') return
      for (const [index, inner] of list(content, `${path}.content`).entries()) {
        const { type } = acceptBlock(inner, `${path}.content.${index}`, rules)
        if (!isFuture(type))
          oneOf(type, ['text', 'image', 'document', 'search_result'], `${path}.content.${index}.type`)
      }
    })
  },
  web_search_tool_result(block, path) {
    matching(block['tool_use_id'], /^srvtoolu_/, `${path}.tool_use_id`)
    const { content } = block
    if (isWire(content)) {
      only(content, 'type error_code', `${path}.content`)
      oneOf(content['type'], ['web_search_tool_result_error'], `${path}.content.type`)
      nonEmpty(content['error_code'], `${path}.content.error_code`)
      return
    }
    for (const [index, hit] of list(content, `${path}.content`).entries())
      acceptHit(object(hit, path), `${path}.content.${index}`)
  },
  thinking(block, path, rules) {
    const thinking = string(block['thinking'], `${path}.thinking`)
    const signature = nonEmpty(block['signature'], `${path}.signature`)
    if (!rules.signed(signature, thinking)) refuse(`${path}.signature`, 'Invalid `signature` in `thinking` block')
  },
  redacted_thinking(block, path, rules) {
    const data = nonEmpty(block['data'], `${path}.data`)
    if (!rules.issued(data)) refuse(`${path}.data`, 'Invalid `data` in `redacted_thinking` block')
  },
  search_result(block, path, rules) {
    for (const key of ['source', 'title']) {
      if (block[key] !== null) string(block[key], `${path}.${key}`)
    }
    acceptCitable(block, path)
    for (const [index, inner] of list(block['content'], `${path}.content`).entries())
      acceptBlock(inner, `${path}.content.${index}`, rules)
  },
}

function acceptDocumentSource(source: Wire, path: string, rules: SealRules): void {
  switch (source['type']) {
    case 'base64':
      only(source, 'type media_type data', path)
      oneOf(source['media_type'], ['application/pdf'], `${path}.media_type`)
      base64(source['data'], `${path}.data`)
      return
    case 'text':
      only(source, 'type media_type data', path)
      oneOf(source['media_type'], ['text/plain'], `${path}.media_type`)
      nonEmpty(source['data'], `${path}.data`)
      return
    case 'content':
      only(source, 'type content', path)
      if (typeof source['content'] === 'string') return
      for (const [index, block] of filled(source['content'], `${path}.content`).entries())
        acceptBlock(block, `${path}.content.${index}`, rules)
      return
    default:
      acceptRemote(source, path)
  }
}

function acceptRemote(source: Wire, path: string): void {
  oneOf(source['type'], ['url', 'file'], `${path}.type`)
  only(source, source['type'] === 'url' ? 'type url' : 'type file_id', path)
  if (source['type'] === 'url') matching(source['url'], /^https?:\/\//, `${path}.url`)
  else nonEmpty(source['file_id'], `${path}.file_id`)
}

function acceptCitable(block: Wire, path: string): void {
  optional(block['citations'], (citations) => {
    if (citations === null) return
    const flags = object(citations, `${path}.citations`)
    only(flags, 'enabled', `${path}.citations`)
    optional(flags['enabled'], (enabled) => flag(enabled, `${path}.citations.enabled`))
  })
}

function acceptHit(hit: Wire, path: string): void {
  only(hit, 'type url title encrypted_content page_age', path)
  oneOf(hit['type'], ['web_search_result'], `${path}.type`)
  for (const key of ['url', 'title', 'encrypted_content']) string(hit[key], `${path}.${key}`)
}

function acceptCitation(value: unknown, path: string): void {
  const citation = object(value, path)
  const type = string(citation['type'], `${path}.type`)
  if (isFuture(type)) return
  const members = Object.hasOwn(CITATION_MEMBERS_OF, type) ? CITATION_MEMBERS_OF[type] : undefined
  if (members === undefined) refuse(`${path}.type`, `unknown citation ${type}`)
  only(citation, `type cited_text file_id ${members}`, path)
  string(citation['cited_text'], `${path}.cited_text`)
  for (const key of members.split(' ')) {
    if (/_(index|number)$/.test(key) && key !== 'encrypted_index') whole(citation[key], 0, Infinity, `${path}.${key}`)
    else if (citation[key] !== null) string(citation[key], `${path}.${key}`)
  }
}
