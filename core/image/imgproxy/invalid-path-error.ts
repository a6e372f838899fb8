/** A path is not one of imgproxy's, or asks for something that is not supported. The message says what. */
export class InvalidPathError extends Error {
  override name = 'InvalidPathError'
}
