//go:build tools

// Package tools pins the program that simulates the nodes of the sandbox.
package tools

import _ "sigs.k8s.io/kwok/cmd/kwok"
