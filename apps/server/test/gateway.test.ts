import { ALLOWED_ORIGIN, describeGateway } from '@dragoman/testkit'
import { startServer } from './process.ts'

describeGateway('the Node server', () =>
  startServer({
    DRAGOMAN_CORS: ALLOWED_ORIGIN,
    DRAGOMAN_LOG: 'silent',
    DRAGOMAN_TRUSTED_PROXIES: '127.0.0.0/8,::1',
  }),
)
