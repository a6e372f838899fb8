import sharp from 'sharp'
import { createEncoder } from './encoders.js'

// Increment it with every change of transform.ts that changes pixels: cached images were made by the old code.
const transformRevision = 2

// The other versions are in a file of the package of libvips, which `standalone` of Next.js leaves out; they follow from these.
const { sharp: sharpVersion, vips } = sharp.versions

/** Changes with everything that pixels and bytes depend on besides the original and the options. */
export const rendererVersion = JSON.stringify([transformRevision, createEncoder().settings, sharpVersion, vips])
