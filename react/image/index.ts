export { type BoundImageProps, createImageComponent, Image, type ImageProps } from './image.js'
