package filesource

import "os"

// Identity is unknown on Windows without opening the file; size, time and the
// hashes decide there.
func Identity(os.FileInfo) (device, inode uint64) { return 0, 0 }
