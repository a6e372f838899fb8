import { existsSync } from 'node:fs'

// Node does not read `.env` by itself. Variables that are already set are kept.
if (existsSync('.env')) process.loadEnvFile()
