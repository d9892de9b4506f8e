import { expect, it } from 'vitest'
import { useServer } from '../shared-server.ts'

const server = useServer()

it.each(['sim/painter', 'sim/painter-genai'])(
  'a form with an image of 24 MB is answered by %s, also beside others',
  async (model) => {
    const edit = async (): Promise<number> => {
      const form = new FormData()
      form.set('model', model)
      form.set('prompt', 'A house')
      form.set('size', '1024x1024')
      form.set('image', new Blob([new Uint8Array(24 * 1024 * 1024).fill(65)], { type: 'image/png' }), 'house.png')
      const headers = { authorization: `Bearer ${server().key}` }
      const response = await fetch(`${server().url}/api/v1/images/edits`, { method: 'POST', headers, body: form })
      await response.arrayBuffer()
      return response.status
    }
    expect(await Promise.all([edit(), edit()])).toEqual([200, 200])
  },
  60_000,
)
