package filesource

import "os"

// identity is unknown on Windows without opening the file; size, time and the
// hashes decide there.
func identity(os.FileInfo) (device, inode uint64) { return 0, 0 }
