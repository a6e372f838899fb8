import sharp from 'sharp'
import { createEncoder } from './encoders.js'

// Increment it with every change of transform.ts that changes pixels: cached images were made by the old code.
const transformRevision = 2

/** Changes with everything that pixels and bytes depend on besides the original and the options. */
export const rendererVersion = JSON.stringify([transformRevision, createEncoder().settings, sharp.versions])
