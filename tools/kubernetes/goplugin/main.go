// A KMS v2 plugin made of Kubernetes' own server for plugins. It tells on standard output what it saw of every call, so
// that a test can hold our client against a server that we did not write.
package main

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"fmt"
	"os"
	"time"

	"google.golang.org/grpc/metadata"
	"k8s.io/kms/pkg/service"
)

const keyID = "go-key-1"

type plugin struct{ aead cipher.AEAD }

func main() {
	key := make([]byte, 32)
	rand.Read(key)
	block, err := aes.NewCipher(key)
	exitOn(err)
	aead, err := cipher.NewGCM(block)
	exitOn(err)
	exitOn(service.NewGRPCService(os.Args[1], 5*time.Second, plugin{aead}).ListenAndServe())
}

func exitOn(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func tell(ctx context.Context, call, uid string) {
	_, timed := ctx.Deadline()
	headers, _ := metadata.FromIncomingContext(ctx)
	fmt.Printf("%s authority=%v deadline=%v uid=%s\n", call, headers[":authority"], timed, uid)
}

func (p plugin) Status(ctx context.Context) (*service.StatusResponse, error) {
	tell(ctx, "Status", "")
	return &service.StatusResponse{Version: "v2", Healthz: "ok", KeyID: keyID}, nil
}

func (p plugin) Encrypt(ctx context.Context, uid string, data []byte) (*service.EncryptResponse, error) {
	tell(ctx, "Encrypt", uid)
	nonce := make([]byte, p.aead.NonceSize())
	rand.Read(nonce)
	return &service.EncryptResponse{
		Ciphertext:  p.aead.Seal(nonce, nonce, data, nil),
		KeyID:       keyID,
		Annotations: map[string][]byte{"version.go-plugin.example": []byte("1")},
	}, nil
}

func (p plugin) Decrypt(ctx context.Context, uid string, req *service.DecryptRequest) ([]byte, error) {
	tell(ctx, "Decrypt", uid)
	if req.KeyID != keyID || string(req.Annotations["version.go-plugin.example"]) != "1" {
		return nil, fmt.Errorf("key id or annotation did not come back")
	}
	size := p.aead.NonceSize()
	if len(req.Ciphertext) < size {
		return nil, fmt.Errorf("too short")
	}
	return p.aead.Open(nil, req.Ciphertext[:size], req.Ciphertext[size:], nil)
}
