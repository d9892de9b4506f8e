export { startPostgres, type PostgresConnection, type RunningPostgres } from './engines/postgres.ts'
export { findRedis, startRedis, type RedisProgram, type RunningRedis } from './engines/redis.ts'
