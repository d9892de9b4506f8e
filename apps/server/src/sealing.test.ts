import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { loadSealing } from './sealing.ts'

const folder = mkdtempSync(join(tmpdir(), 'dragoman-sealing-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const [ONE, TWO] = ['1'.repeat(32), '2'.repeat(32)]

describe('the sealing keys of the server', () => {
  it('are those of the environment, then those of the file, then one in the data folder', () => {
    const config = { server: { sealingKeys: [ONE] } }
    expect(loadSealing({ DRAGOMAN_SEALING_KEYS: `${TWO},${ONE}` }, config, folder).sealingKeys).toEqual([TWO, ONE])
    expect(loadSealing({}, config, folder).sealingKeys).toEqual([ONE])
    const { sealingKeys } = loadSealing({}, {}, folder)
    expect(sealingKeys).toEqual([readFileSync(join(folder, 'sealing-key'), 'utf8').trim()])
    expect(loadSealing({}, {}, folder).sealingKeys).toEqual(sealingKeys)
  })

  it('must be long; the error names the setting and not the key', () => {
    expect(() => loadSealing({ DRAGOMAN_SEALING_KEYS: 'short' }, {}, folder)).toThrow(
      'DRAGOMAN_SEALING_KEYS must have keys of at least 32 characters.',
    )
    expect(() => loadSealing({}, { server: { sealingKeys: ['short'] } }, folder)).toThrow('server.sealingKeys must')
  })

  it('are missing if the data folder cannot be written, which the refusal of videos says', () => {
    const file = join(folder, 'a-file')
    writeFileSync(file, '')
    const { sealingKeys, sealingAt } = loadSealing({}, {}, join(file, 'inside'))
    expect(sealingKeys).toBeUndefined()
    expect(sealingAt).toContain('DRAGOMAN_SEALING_KEYS')
    expect(sealingAt).toContain('data folder')
  })
})
