import { ALLOWED_ORIGIN, describeGateway } from '@dragoman/testkit'
import { startWorker } from './workerd.ts'

const KEY = 'sk-worker-test-0123456789'

describeGateway('the worker in workerd', async () => {
  const worker = await startWorker({
    DRAGOMAN_KEYS: `sk-other, ${KEY}`,
    DRAGOMAN_CORS: ALLOWED_ORIGIN,
    DRAGOMAN_SIM: 'on',
  })
  return { ...worker, key: KEY }
})
