import { existsSync } from 'node:fs'

// Node reads no `.env` by itself. What the environment has already is kept.
if (existsSync('.env')) process.loadEnvFile()
