export { type BoundImageProps, createImageComponent } from './create-image-component.js'
export { Image, type ImageProps } from './image.js'
