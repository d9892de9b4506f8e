import type { RequestListener } from 'node:http'
import { protocols } from '@dragoman/core/protocols'
import express from 'express'

/** Serves everything that is not an API call. It has no body parser: the gateway reads bodies itself, after admission. */
export function createPages(handle: RequestListener): RequestListener {
  const pages = express()
  pages.disable('x-powered-by')
  pages.get('/', (_request, response) => {
    response.json(ABOUT)
  })
  // The last handler takes every other path: the gateway refuses unknown paths in the shape of a protocol.
  pages.use(handle)
  return pages
}

const ABOUT = {
  name: 'dragoman',
  about: 'An LLM gateway: any of these protocols in, any of its models out.',
  protocols: protocols.map(({ name, http }) => ({ name, base: http.base })),
}
