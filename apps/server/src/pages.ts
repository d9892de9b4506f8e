import type { RequestListener } from 'node:http'
import { protocols } from '@dragoman/core'
import express from 'express'

/** What is not a call of the API. No body parser: the gateway reads bodies itself, after admission. */
export function createPages(handle: RequestListener): RequestListener {
  const pages = express()
  pages.disable('x-powered-by')
  pages.get('/', (_request, response) => {
    response.json(ABOUT)
  })
  // Last, and for every other path: whatever it does not serve, the gateway refuses in a protocol's own words.
  pages.use(handle)
  return pages
}

const ABOUT = {
  name: 'dragoman',
  about: 'An LLM gateway: any of these protocols in, any of its models out.',
  protocols: protocols.map(({ name, http }) => ({ name, base: http.base })),
}
